import { builtInEvents, type Decoded, decode as decodeWith, type VitrineEvent } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'

type OfOurs = Exclude<Decoded, { outcome: 'event' }> | { outcome: 'event'; event: VitrineEvent }

/** Reads a record with our own event types, as a service without custom models does. */
export const decode = (record: LogRecord): OfOurs => decodeWith(record, builtInEvents) as OfOurs
