/** The upstream contract: the events that the private backend publishes, in every version. */

export { compiled } from '../lib/compiled-schema.js'
export { isoTime } from '../lib/iso-time.js'
export { type Position, START } from '../ports/event-log.js'
export {
  AGGREGATES,
  type AggregateKind,
  catalogue,
  EVENT_NAMES,
  type EventData,
  type EventName,
  isEventName,
  REMOVAL_EVENTS,
  versionedType,
} from './catalogue.js'
export { KINDS, Kind } from './creation.js'
export {
  type AnyEvent,
  type Arrival,
  type Decoded,
  decode,
  Envelope,
  type EventOf,
  isAbsurdSequence,
  isEvent,
  MAX_CLOCK_LEAD_MS,
  publisherIn,
  type VitrineEvent,
} from './decode.js'
export { aggregateIn, type EventType, event, type OwnEvent } from './event-type.js'
export { builtInEvents, EventTypes, namesPeople } from './event-types.js'
export type { Localized } from './fields.js'
export { CategorySlug, CreationId, CreatorId, Handle, handleKey, id, MAX_TAG_LENGTH, Slug, text } from './fields.js'
export { redactedPayload as redacted } from './redaction.js'
export { leavesOf, words } from './words.js'
