/**
 * Recognises requests to drop rules, to reveal secrets or private data, or to change something. None could succeed, since
 * answers use public data only. A refusal is better than a passage that happens to share some words.
 */
export type RefusalReason = 'rules' | 'credentials' | 'private' | 'change'

export function refusalReason(text: string): RefusalReason | null {
  const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  const asks = QUESTION_START.test(plain) && !NAMES_A_TARGET.test(plain)
  for (const [attempt, patterns] of REFUSED_PATTERNS)
    if (attempt === 'credentials' && asks) continue
    else if (patterns.some((pattern) => pattern.test(plain))) return attempt
  return null
}

/** "What do protected endpoints give without a token?" is a question, not a request for a token. */
const QUESTION_START = /^(what|which|when|where|why|does|do|is|are|how (do|does|many|long))\b/
const NAMES_A_TARGET = /\b(me|us|my|your|mine|admin\w*|root|database|db|his|her|their|someone|somebody|users?|@\S+|env\w*|connection)\b/

const SECRET = 'tokens?|api[- ]?keys?|secrets?|passwords?|credentials?|cookies?|jwts?|private keys?|one[- ]time codes?|otps?|login data'
const SECRET_ES = 'tokens?|claves?|contraseñas?|credenciales|secretos?|códigos? de un solo uso|cookies?'
const SECRET_DE = 'tokens?|(api-?)?schlüssel|passw[oö]rt(er)?|zugangsdaten|geheimnis(se)?|einmalcodes?|cookies?'
const SECRET_JA = 'トークン|apiキー|キー|パスワード|秘密|認証情報|ワンタイムコード'

const REFUSED_PATTERNS: readonly [RefusalReason, readonly RegExp[]][] = [
  [
    'credentials',
    [
      new RegExp(
        `\\b(give|send|show|generate|issue|leak|print|reveal|dump|hand|expose|output|return|grant|mint|share)\\b[^.?!]{0,50}\\b(${SECRET})\\b`,
      ),
      new RegExp(
        `\\b(dame|envía(me)?|enviame|muéstra(me)?|muestra(me)?|genera|revela|filtra|imprime|pásame|entrega|emite)\\b[^.?!]{0,50}(${SECRET_ES})`,
      ),
      new RegExp(`\\b(gib|sende?|schick|zeig|erzeuge?|generiere?|verrate?|drucke?|nenne?|erstelle?)\\b[^.?!]{0,50}(${SECRET_DE})`),
      new RegExp(`(${SECRET_JA})[^。？]{0,15}(ください|下さい|くれ|ちょうだい|発行して|出して|教えて|見せて|渡して|よこせ)`),
      /\b(admin|root|database|db|mongo|redis|nats)[- ](password|token|login|url|user|credentials)/,
      /\bprocess\.env\b|(^|\s)\.env\b|environment variables?|connection string|\/etc\/passwd|umgebungsvariable|variables? de entorno|環境変数/,
      /\b(my|meine?n?|mi) (code|otp|email|e-mail|password|token|passwort|correo|código|contraseña) (is|ist|es|lautet)\b/,
    ],
  ],
  [
    'private',
    [
      /\b(e-?mails?|email address(es)?|phone numbers?|home address|ip address(es)?|passwords?|real names?|location)\b[^.?!]{0,25}\b(of|for|from|belonging)\b[^.?!]{0,25}(@|users?|creators?|people|everyone|everybody|all|members|him|her|them|this)/,
      /\b(list|dump|export|give|show|send|tell)\b[^.?!]{0,30}\b(all|every|user|users'?|creator'?s?|private|personal|@?[\w-]{1,40}'s) (e-?mails?|email|phone|private|personal|addresses|passwords?|drafts|data of users)/,
      /@[\w-]+'?s? (e-?mail|phone|password|home address|private|drafts?)/,
      /\b(correos?( electrónicos?)?|teléfonos?|contraseñas?|borradores)\b[^.?!]{0,20}\b(de|del)\b[^.?!]{0,20}(@|usuari|creador|todos|alguien)/,
      /(e-?mail-?adressen?|mailadressen?|telefonnummern?|passwörter|entwürfe)\b[^.?!]{0,20}\b(von|der|aller)\b/,
      /(メールアドレス|電話番号|パスワード|住所|個人情報|下書き)[^。？]{0,15}(教えて|見せて|一覧|リスト|ください|出して|全部)/,
      /(の|さんの)(メールアドレス|電話番号|パスワード|住所|個人情報)/,
    ],
  ],
  [
    'rules',
    [
      /\b(ignore|disregard|forget|override|bypass|skip|drop|violate|break)\b[^?]{0,60}\b(rules?|instructions?|prompts?|guidelines?|restrictions?|above|previous|prior|safety|polic(y|ies)|constraints?|filters?|told)\b/,
      /\b(system|hidden|initial|original|internal|secret|developer|your) (prompt|message|instructions?|rules|directives?|configuration|config)\b/,
      /\b(jailbreak|jailbroken|dan mode|do anything now|developer mode|god mode|sudo|root access|admin mode|prompt injection|unrestricted|uncensored)\b/,
      /\b(you are now|from now on|pretend (to be|you|that)|act as|roleplay|role-play|simulate (a|an|being)|imagine you|you must (obey|answer|comply|say))\b/,
      /\b(repeat|print|output|reveal|show|say)\b[^.?!]{0,30}\b(everything|verbatim|word for word|text above|words above|above this)\b/,
      /<\/?(system|assistant|user|script|img|iframe|im_start)\b|\[\/?inst\]|<\|[a-z_]+\|>|^(system|assistant|developer):|\n(system|assistant):/,
      /\b(drop|truncate|alter) table\b|\bunion select\b|;\s*(drop|delete|shutdown)\b|' or '?1'?='?1|\$\{|\{\{|\$where|\beval\(/,
      /\b(ignora|olvida|omite|sáltate|desobedece|incumple)\b[^?]{0,60}(reglas|instrucciones|normas|restricciones|anterior|políticas|indicaciones)/,
      /prompt (del|de) sistema|instrucciones (ocultas|internas|del sistema|secretas)|modo desarrollador|sin restricciones|actúa como|finge (ser|que)|a partir de ahora (eres|serás)|ahora eres/,
      /(ignorier|vergiss|missachte|umgehe?|überschreibe?|brich)[a-z]{0,20}\b[^?]{0,60}(regeln|anweisungen|vorgaben|instruktionen|richtlinien|bisherige|vorherige|einschränkungen)/,
      /system-?prompt|system-?nachricht|versteckte anweisungen|entwicklermodus|ohne einschränkungen|tu so,? als|du bist (jetzt|ab jetzt|nun)|ab (jetzt|sofort) bist du|spiel(e)? die rolle/,
      /(指示|ルール|命令|規則|制限|設定|指令)[^。？]{0,15}(無視|忘れ|破っ|解除|従わ)|システムプロンプト|開発者モード|脱獄|になりきって|ふりをして|内部(の)?(指示|設定)/,
    ],
  ],
  [
    'change',
    [
      /^(please |pls |can you |could you |hey,? )?(delete|remove|unpublish|publish|ban|block|edit|rename|hack|follow|unfollow|like|unlike|buy|purchase|order|subscribe|upload|create|build|make) (me |my |for me |this |the |a |an |app |creation |user |account |@|[\w-]+\/)/,
      /^(por favor,? )?(borra|elimina|publica|edita|bloquea|compra|cómprame|sigue|crea|construye|sube|suscríbeme)\b/,
      /^(bitte )?(lösche?|entferne?|veröffentliche?|sperre?|bearbeite?|kaufe?|folge?|erstelle?|baue?|abonniere?)\b (mir |mein|das |die |den |@|eine?n? |für mich )/,
      /(削除|公開|編集|購入|注文|登録|フォロー|作成)して(ください|くれ|ほしい|下さい|$)|(買って|作って|消して)(ください|くれ|ほしい|下さい|$)/,
    ],
  ],
]
