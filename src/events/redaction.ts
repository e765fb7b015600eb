import { compiled } from '../lib/compiled-schema.js'
import type { LogRecord } from '../ports/event-log.js'
import { isEventName } from './catalogue.js'
import { type AnyEvent, type Arrival, type Decoded, decode, isRedactedType, REDACTED_TYPES, type RedactedType } from './decode.js'
import type { EventType } from './event-type.js'
import type { EventTypes } from './event-types.js'

/**
 * An erased person's event without their text: ids, kinds and numbers stay, so that the models built from the log are the
 * same as before. `null` for events without text.
 */
export function redactedPayload(record: LogRecord, types: EventTypes): string | null {
  const decoded = decode(record, types)
  if (decoded.outcome !== 'event') {
    // Whose creation it is stays, as in a publication that can be read.
    const data = decoded.outcome === 'poison' && decoded.creatorId !== null ? { creatorId: decoded.creatorId } : {}
    return envelope(decoded.arrival ?? withoutArrival(record), redactedType(decoded), record.appendedAt, data)
  }
  const { event } = decoded
  const type = types.get(event.name)
  if (type === undefined || type.redact === null) return null
  const data = redactedData(type, event)
  if (data === null) return envelope(event, REDACTED_TYPES.unknown, event.time, {})
  return envelope(event, `${event.name}.v${type.version}`, event.time, data)
}

/** The sequence of an event that was not folded has arrived all the same. */
function redactedType(decoded: Exclude<Decoded, { outcome: 'event' }>): RedactedType {
  if (decoded.outcome === 'unknown' && isRedactedType(decoded.type)) return decoded.type
  if (decoded.arrival === null) return REDACTED_TYPES.unreadable
  // Poison of a custom type has arrived like an event of an unknown one.
  const isOwn = decoded.outcome === 'poison' && decoded.name !== null && !isEventName(decoded.name)
  return isOwn || decoded.outcome === 'unknown' ? REDACTED_TYPES.unknown : REDACTED_TYPES.poison
}

type Identity = Pick<Arrival, 'id' | 'aggregate' | 'sequence'>

/** Of an event whose envelope says nothing. Its type says that it does not count. */
const withoutArrival = ({ id, subject }: LogRecord): Identity => ({ id, aggregate: subject, sequence: 1 })

/** Id and sequence stay: what was delivered twice must not look like two events, and nothing like a gap. */
function envelope({ id, aggregate, sequence }: Identity, type: string, time: number, data: object): string {
  const source = '/vitrine/redacted'
  return JSON.stringify({ specversion: '1.0', id, source, type, subject: aggregate, time: new Date(time).toISOString(), sequence, data })
}

/** `null` where the type's own rule fails: the words must go all the same. */
function redactedData({ schema, redact }: EventType, { data }: AnyEvent): object | null {
  try {
    const left = redact?.(data) ?? {}
    return compiled(schema).safeParse(left).success ? left : null
  } catch {
    return null
  }
}
