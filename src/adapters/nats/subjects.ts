/** `creation/c_81` in the log is `app.events.creation.c_81` in NATS. */

/** What the log's subjects begin with unless told. */
export const DEFAULT_PREFIX = 'app.events'

/** Plain in every subject. Everything else is written as the bytes of its UTF-8, `%2E` for a dot. */
const PLAIN = /^[A-Za-z0-9_-]+$/

/** A token must not be empty, and `%` alone cannot come from escaping. */
const EMPTY = '%'

export function toNatsSubject(prefix: string, subject: string): string {
  const slash = subject.indexOf('/')
  if (slash === -1) return `${prefix}.${escapeToken(subject)}`
  return `${prefix}.${escapeToken(subject.slice(0, slash))}.${escapeToken(subject.slice(slash + 1))}`
}

/** Understands what others publish too: more dots than expected, escapes that are none, subjects outside the prefix. */
export function fromNatsSubject(prefix: string, subject: string): string {
  const rest = subject.startsWith(`${prefix}.`) ? subject.slice(prefix.length + 1) : subject
  const dot = rest.indexOf('.')
  if (dot === -1) return unescapeToken(rest)
  return `${unescapeToken(rest.slice(0, dot))}/${unescapeToken(rest.slice(dot + 1))}`
}

/** Any text as something that may stand in a subject or in a header. */
export function escapeToken(text: string): string {
  if (PLAIN.test(text)) return text
  if (text === '') return EMPTY
  let token = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    token += PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return token
}

export function unescapeToken(token: string): string {
  if (!token.includes('%')) return token
  if (token === EMPTY) return ''
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
