import { headers, type Msg, type MsgHdrs } from 'nats'
import { parseJson } from '../../lib/parse-json.js'
import type { LogRecord, NewRecord, Position } from '../../ports/event-log.js'

/** The event's id; JetStream itself uses it to refuse duplicates. */
const MESSAGE_ID = 'Nats-Msg-Id'
/** Marks a message id that is escaped, because a header cannot hold it. */
const ESCAPED_ID = 'Vitrine-Escaped-Id'
/**
 * Milliseconds since 1970: when an imported event was first appended. It takes precedence over the server's time, because
 * the meaning of an event may depend on it (how far its time may be ahead, replays up to a time).
 */
const APPENDED_AT = 'Vitrine-Appended-At'

/** Longer ids are invalid. So are lone surrogates, which JSON can hold but stores would change. */
const MAX_ID = 200

/** Ids that a header keeps as they are. */
const HEADER_SAFE = /^[\x21-\x7e]+$/

export interface OutgoingMessage {
  subject: string
  payload: Buffer
  headers: MsgHdrs
}

export function toMessage(prefix: string, { id, subject, payload, appendedAt }: NewRecord): OutgoingMessage {
  const lines = headers()
  if (HEADER_SAFE.test(id)) lines.set(MESSAGE_ID, id)
  else {
    lines.set(MESSAGE_ID, escapeToken(id))
    lines.set(ESCAPED_ID, 'yes')
  }
  if (appendedAt !== undefined) lines.set(APPENDED_AT, String(appendedAt))
  return { subject: toNatsSubject(prefix, subject), payload: Buffer.from(payload), headers: lines }
}

/** A message of a stream, delivered or read by its sequence. */
export interface StreamMessage {
  sequence: number
  /** Milliseconds since 1970, by the server's clock. */
  storedAt: number
  subject: string
  headers: MsgHdrs | undefined
  data: Uint8Array
}

/** Never throws: the backend may have published anything. */
export function toRecord(prefix: string, message: StreamMessage): LogRecord {
  const payload = Buffer.from(message.data.buffer, message.data.byteOffset, message.data.byteLength).toString()
  return {
    position: message.sequence as Position,
    id: idOf(message, payload).slice(0, MAX_ID).toWellFormed(),
    subject: fromNatsSubject(prefix, message.subject),
    payload,
    appendedAt: Number(message.headers?.get(APPENDED_AT) || Number.NaN) || message.storedAt,
    storedAt: message.storedAt,
  }
}

/** Without a message id, the id is taken from the event; without either, from the position. */
function idOf({ headers: lines, sequence }: StreamMessage, payload: string): string {
  const id = lines?.get(MESSAGE_ID) ?? ''
  if (id !== '') return lines?.get(ESCAPED_ID) ? unescapeToken(id) : id
  const event = parseJson(payload)
  return typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string' ? event.id : `position ${sequence}`
}

/**
 * The reply subject of a delivered message holds its sequence: `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.
 * <delivery>.<nanoseconds>.<pending>`; newer servers may put a domain and an account before the stream.
 */
export function deliveredMessage(message: Msg): StreamMessage & { delivery: number } {
  const tokens = (message.reply ?? '').split('.')
  const at = tokens.length > 9 ? 7 : 5
  return {
    sequence: Number(tokens[at]),
    delivery: Number(tokens[at + 1]),
    // Without the last six digits: nanoseconds do not fit into a number.
    storedAt: Number(tokens[at + 2]?.slice(0, -6)),
    subject: message.subject,
    headers: message.headers,
    data: message.data,
  }
}

/** The default first tokens of the log's subjects. */
export const DEFAULT_PREFIX = 'app.events'

/** Allowed in every subject. Everything else is escaped as its UTF-8 bytes, `%2E` for a dot. */
const PLAIN = /^[A-Za-z0-9_-]+$/

/** A token must not be empty. Escaping never gives a lone `%`. */
const EMPTY = '%'

/** `creation/c_81` in the log is `app.events.creation.c_81` in NATS. */
export function toNatsSubject(prefix: string, subject: string): string {
  const slash = subject.indexOf('/')
  if (slash === -1) return `${prefix}.${escapeToken(subject)}`
  return `${prefix}.${escapeToken(subject.slice(0, slash))}.${escapeToken(subject.slice(slash + 1))}`
}

/** Accepts what other publishers send: more dots than expected, invalid escapes, subjects outside the prefix. */
export function fromNatsSubject(prefix: string, subject: string): string {
  const rest = subject.startsWith(`${prefix}.`) ? subject.slice(prefix.length + 1) : subject
  const dot = rest.indexOf('.')
  if (dot === -1) return unescapeToken(rest)
  return `${unescapeToken(rest.slice(0, dot))}/${unescapeToken(rest.slice(dot + 1))}`
}

/** Escapes any text for a subject or a header. */
export function escapeToken(text: string): string {
  if (PLAIN.test(text)) return text
  if (text === '') return EMPTY
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*.~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
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
