/**
 * Words of the API, in any of our languages. A question with one of them is about the service, even with a few unknown
 * words beside it.
 */
const TECHNICAL = new RegExp(
  [
    'apis?\\b|https?\\b|json|\\brpc|\\bmcp|webmcp|\\bsse\\b|oauth|openapi|swagger|llms|endpoint|endpunkt|header|cabecera|kopfzeile|batch|cursor|webhook',
    '\\bur[il]s?\\b|bearer|\\bauth|\\bretr(y|ies|ying)|backoff|jitter|status[- ]?codes?|statuscode|[^\\d][1-5]\\d\\d(s|er)?\\b|^[1-5]\\d\\d(s|er)?\\b|rate[- ]?limit|ratelimit',
    'polling|\\bpolls?\\b|idempot|param|\\bquery\\b|locale|bcp|deprecat|sunset|stream|feed|filter|\\bsort\\b|\\berrors?\\b|\\bfehler|エラー|\\blimit\\b|\\w_\\w|/[a-z]|\\bget\\b.*/|\\bpost\\b.*/',
    'credenti|credenc|zugangsdaten|token|\\bslug|agent|reintent|wiederhol|anfragelimit|c(ó|o)digo (http|de estado)|par(á|a)metro|petici(ó|o)n',
    'エンドポイント|ヘッダー|パラメータ|リトライ|再試行|バッチ|カーソル|ステータス|トークン|レート|認証|バージョン|ポーリング|ストリーミング|リクエスト|エージェント|(?<!\\d)[1-5]\\d\\d(?!\\d)',
  ].join('|'),
  'iu',
)

/** Camel case, such as `featuredOnly`. */
const CAMEL_CASE = /\b[a-z]+[A-Z][a-z]/

export const isTechnical = (text: string): boolean => TECHNICAL.test(text) || CAMEL_CASE.test(text)
