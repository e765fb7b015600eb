import { z } from 'zod'
import { SORTS } from '../../../readmodels/feed/documents.js'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { getCreatorFollowers } from '../../../readmodels/profiles/public-reads.js'
import { EMAIL_CODE_LENGTH, SKILL_NAME } from '../../contract/agent-operations.js'
import { MAX_BATCH, POLL_AFTER_S } from '../../contract/caller-limits.js'
import { ERROR_NAMES, RETRY_POLICY, RETRYABLE_STATUSES } from '../../contract/errors.js'
import { API_VERSION, DESCRIPTION_VERSION, MIN_NOTICE_DAYS, type Operation, VERSION_HEADER } from '../../contract/operation.js'
import { packageRoot, readJson } from '../../lib/package-root.js'
import type { Language } from '../languages.js'

/** What differs between installations. */
export interface Installation {
  baseUrl: string
  webUrl: string
  /** Names of the public reads. */
  operations: readonly string[]
  /** Requests per window and caller; null is no limit. */
  limits: { public: number | null; agent: number | null; mcp: number | null; windowS: number }
}

const Tier = z.object({ credits: z.int(), usd: z.int() })
const Tiers = z.object({ tiers: z.tuple([Tier, Tier, Tier]) })

/** Values for the `{{name}}` placeholders of the content, in one language. */
export function factsFor(language: Language, { baseUrl, webUrl, operations, limits }: Installation): ReadonlyMap<string, string> {
  const number = new Intl.NumberFormat(language)
  const list = (values: readonly (string | number)[]) => values.join(LIST_COMMA[language])
  const requests = (limit: number | null) => REQUESTS[language](limit, limits.windowS)
  const { tiers } = readJson('content/facts.json', Tiers)
  const { backoff } = RETRY_POLICY.transient
  return new Map<string, string>([
    ...tiers.flatMap(({ credits, usd }, n): [string, string][] => [
      [`tier${n + 1}_credits`, number.format(credits)],
      [`tier${n + 1}_usd`, number.format(usd)],
    ]),
    ['base_url', baseUrl],
    ['web_url', webUrl],
    ['limit_public', requests(limits.public)],
    ['limit_agent', requests(limits.agent)],
    ['limit_mcp', requests(limits.mcp)],
    ['window', String(limits.windowS)],
    ['retry_initial', String(backoff.initial_ms)],
    ['retry_multiplier', String(backoff.multiplier)],
    ['retry_cap', String(backoff.cap_ms)],
    ['retry_attempts', String(backoff.max_attempts)],
    ['retryable', list(RETRYABLE_STATUSES.toSorted((a, b) => a - b))],
    ['not_retryable', list(RETRY_POLICY.not_retryable.statuses)],
    ['error_names', list(ERROR_NAMES.map(backticked))],
    ['batch_max', String(MAX_BATCH)],
    ['poll_seconds', String(POLL_AFTER_S)],
    ['sorts', list(SORTS.map(backticked))],
    ['sort_count', String(SORTS.length)],
    ['sort_default', String(inputBounds(getCommunityFeed, 'sort').default)],
    ['feed_max', String(inputBounds(getCommunityFeed, 'limit').maximum)],
    ['feed_default', String(inputBounds(getCommunityFeed, 'limit').default)],
    ['follows_max', String(inputBounds(getCreatorFollowers, 'limit').maximum)],
    ['follows_default', String(inputBounds(getCreatorFollowers, 'limit').default)],
    ['operations', list(operations.map(backticked))],
    ['version_header', VERSION_HEADER],
    ['api_version', API_VERSION],
    ['description_version', DESCRIPTION_VERSION],
    ['notice_days', String(MIN_NOTICE_DAYS)],
    ['skill_name', SKILL_NAME],
    ['code_length', String(EMAIL_CODE_LENGTH)],
  ])
}

export const CONTENT = new URL('content/', packageRoot)

const backticked = (name: string): string => `\`${name}\``

function inputBounds({ input }: Operation, name: string): { default?: unknown; maximum?: unknown } {
  const field = input.shape[name]
  return field === undefined ? {} : z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
}

const LIST_COMMA: Record<Language, string> = { en: ', ', es: ', ', de: ', ', ja: '、' }

const REQUESTS: Record<Language, (limit: number | null, windowS: number) => string> = {
  en: (limit, windowS) => (limit === null ? 'any number of requests' : `${limit} requests per ${windowS} seconds`),
  es: (limit, windowS) => (limit === null ? 'cualquier número de peticiones' : `${limit} peticiones cada ${windowS} segundos`),
  de: (limit, windowS) => (limit === null ? 'beliebig viele Anfragen' : `${limit} Anfragen in ${windowS} Sekunden`),
  ja: (limit, windowS) => (limit === null ? 'なし' : `${windowS}秒あたり${limit}リクエスト`),
}
