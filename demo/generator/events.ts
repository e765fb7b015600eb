import type { z } from 'zod'
import { type catalogue, EVENT_NAMES, type EventName, isoTime, versionedType } from '../../src/events/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'

/** What a publisher may send: defaults left out, ids as plain strings. */
export type EventInput<N extends EventName> = z.input<(typeof catalogue)[N]['schema']>

const TYPES = Object.fromEntries(EVENT_NAMES.map((name) => [name, versionedType(name)])) as Record<EventName, string>

type Untranslated<D> = Omit<D, 'title' | 'description'> & { title?: string; description?: string }

/** Wraps the data of one event in its envelope, in the newest version. */
export function record<N extends EventName>(name: N, subject: string, sequence: number, time: number, data: EventInput<N>): NewRecord {
  return wrap(TYPES[name], subject, sequence, time, data)
}

/** The same from a phone that does not know translations yet. */
export function recordV1<N extends 'creation.published' | 'creation.edited'>(
  name: N,
  subject: string,
  sequence: number,
  time: number,
  data: Untranslated<EventInput<N>>,
): NewRecord {
  return wrap(versionedType(name, 1), subject, sequence, time, data)
}

function wrap(type: string, subject: string, sequence: number, time: number, data: object): NewRecord {
  // The id of an event is its aggregate and revision, so publishing the same demo twice adds nothing.
  const id = `${subject.replace('/', '.')}.${sequence}`
  // Nothing in the envelope needs escaping, and joining it is several times faster than serialising an object of nine fields.
  const payload =
    `{"specversion":"1.0","id":"${id}","source":"/vitrine/demo","type":"${type}","subject":"${subject}","time":"${isoTime(time)}",` +
    `"sequence":${sequence},"datacontenttype":"application/json","data":${JSON.stringify(data)}}`
  return { id, subject, payload, appendedAt: time }
}

/** One of the sources that the log merges, in the order of its own times. */
export interface TimedEvents {
  /** When its next record happens; Infinity after the last. */
  readonly time: number
  /** The next record; undefined if the plan has lapsed (the person had left). */
  next(): NewRecord | undefined
}
