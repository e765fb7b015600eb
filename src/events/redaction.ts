import type { LogRecord } from '../ports/event-log.js'
import { versionedType } from './catalogue.js'
import { type Arrival, type Decoded, decode, type VitrineEvent } from './decode.js'
import { isRedactedType, REDACTED_TYPES, type RedactedType } from './redacted-types.js'

/** Replaces a person's text. It is a valid handle, slug and text. */
const PLACEHOLDER = 'redacted'

/**
 * An erased person's event without their text: ids, kinds and numbers stay, so that the models built from the log are the
 * same as before. `null` for events without text.
 */
export function redactedPayload(record: LogRecord): string | null {
  const decoded = decode(record)
  if (decoded.outcome !== 'event') return envelope(decoded.arrival ?? withoutArrival(record), redactedType(decoded), record.appendedAt, {})
  const { event } = decoded
  const data = redactedData(event)
  return data === null ? null : envelope(event, versionedType(event.name), event.time, data)
}

/** The sequence of an event that was not folded has arrived all the same. */
function redactedType(decoded: Exclude<Decoded, { outcome: 'event' }>): RedactedType {
  if (decoded.outcome === 'unknown' && isRedactedType(decoded.type)) return decoded.type
  if (decoded.arrival === null) return REDACTED_TYPES.unreadable
  return decoded.outcome === 'unknown' ? REDACTED_TYPES.unknown : REDACTED_TYPES.poison
}

type Identity = Pick<Arrival, 'id' | 'aggregate' | 'sequence'>

/** Of an event whose envelope says nothing. Its type says that it does not count. */
const withoutArrival = ({ id, subject }: LogRecord): Identity => ({ id, aggregate: subject, sequence: 1 })

/** Id and sequence stay: what was delivered twice must not look like two events, and nothing like a gap. */
function envelope({ id, aggregate, sequence }: Identity, type: string, time: number, data: object): string {
  const source = '/vitrine/redacted'
  return JSON.stringify({ specversion: '1.0', id, source, type, subject: aggregate, time: new Date(time).toISOString(), sequence, data })
}

function redactedData(event: VitrineEvent): object | null {
  switch (event.name) {
    case 'creator.registered':
      return { creatorId: event.data.creatorId, handle: PLACEHOLDER, displayName: PLACEHOLDER }
    case 'creator.profile_changed':
    case 'creator.removed':
      return { creatorId: event.data.creatorId }
    case 'creator.handle_changed':
      return { creatorId: event.data.creatorId, handle: PLACEHOLDER }
    case 'creation.published': {
      const { creationId, creatorId, kind, category, remixOf } = event.data
      return { creationId, creatorId, kind, category, remixOf, slug: PLACEHOLDER, title: { en: PLACEHOLDER }, description: { en: '' } }
    }
    case 'creation.edited':
      return { creationId: event.data.creationId, ...(event.data.category === undefined ? {} : { category: event.data.category }) }
    case 'creation.unpublished':
    case 'creation.republished':
    case 'creation.removed':
      return { creationId: event.data.creationId }
    default:
      return null
  }
}
