import type { LogRecord } from '../ports/event-log.js'
import { versionedType } from './catalogue.js'
import { decode, type VitrineEvent } from './decode.js'

/** Replaces a person's text. It is a valid handle, slug and text. */
const PLACEHOLDER = 'redacted'

/** A type that no projection handles, for events that could not be decoded. */
const REDACTED_TYPE = 'vitrine.redacted.v1'

/**
 * An erased person's event without their text: ids, kinds and numbers stay, so that the models built from the log are the
 * same as before. `null` for events without text.
 */
export function redactedPayload(record: LogRecord): string | null {
  const decoded = decode(record)
  if (decoded.outcome !== 'event') return envelope(record, REDACTED_TYPE, record.appendedAt, 1, {})
  const { event } = decoded
  const data = redactedData(event)
  return data === null ? null : envelope(record, versionedType(event.name), event.time, event.sequence, data)
}

function envelope({ id, subject }: LogRecord, type: string, time: number, sequence: number, data: object): string {
  const source = '/vitrine/redacted'
  return JSON.stringify({ specversion: '1.0', id, source, type, subject, time: new Date(time).toISOString(), sequence, data })
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
