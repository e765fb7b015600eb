import { z } from 'zod'
import { compiled } from '../lib/compiled-schema.js'
import { parseJson } from '../lib/parse-json.js'
import type { LogRecord, Position } from '../ports/event-log.js'
import { type EventData, type EventName, isEventName, REMOVAL_EVENTS } from './catalogue.js'
import type { EventType } from './event-type.js'
import type { EventTypes } from './event-types.js'
import { CreatorId, wellFormed } from './fields.js'

/** CloudEvents 1.0 in JSON structured mode, with the aggregate's revision as the extension `sequence`. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: wellFormed(200).min(1),
  source: z.string().min(1).max(500),
  type: z.string().min(1).max(200),
  subject: z.string().regex(/^[a-z]+\/[A-Za-z0-9_-]{1,64}$/, 'must be "<aggregate>/<id>"'),
  time: z.iso.datetime({ offset: true }),
  sequence: z
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: "The revision of the aggregate, from 1: a number, not a text as in CloudEvents' extension of that name." }),
  datacontenttype: z.string().optional(),
  data: z.unknown(),
})
export type Envelope = z.infer<typeof Envelope>

/** An event's time may be ahead of the log's clock by at most this. */
export const MAX_CLOCK_LEAD_MS = 5 * 60_000

const MAX_SEQUENCE_LEAD = 1_000_000_000

/** A sequence counts events of one aggregate, so it is not far above the position. Old events may have left the log. */
export const isAbsurdSequence = (sequence: number, position: number): boolean => sequence > position + MAX_SEQUENCE_LEAD

/** An event in its newest version, of a built-in type or a custom one. */
export interface AnyEvent<N extends string = string, D = unknown> {
  name: N
  id: string
  /** `creation/c_81`: `sequence` counts its events. */
  aggregate: string
  kind: string
  /** The aggregate's own id. */
  key: string
  sequence: number
  position: Position
  /** Milliseconds since 1970, by the backend's clock. */
  time: number
  data: D
}

export type EventOf<N extends EventName> = AnyEvent<N, EventData<N>>

/** An event of one of our types. */
export type VitrineEvent = { [N in EventName]: EventOf<N> }[EventName]

/** What the envelope of an event says. It can often be read where the event cannot. */
export interface Arrival extends Pick<AnyEvent, 'id' | 'aggregate' | 'key' | 'sequence' | 'position'> {
  kind: string
  /** Of an event that could be read. */
  name?: string
  /** No model uses the event, because it is poison or discarded: another one with this sequence takes its place. */
  unused?: boolean
}

export type Decoded =
  | { outcome: 'event'; event: AnyEvent }
  /** A type that this version does not know: skipped, but counted. */
  | { outcome: 'unknown'; type: string; arrival: Arrival | null }
  /** An operator discarded it: it counts as if it did not exist. Decoding itself never gives this. */
  | { outcome: 'discarded'; arrival: Arrival | null }
  /**
   * `name` is null when not even the type could be read, `arrival` when the envelope cannot be trusted. `creatorId` is whom an
   * unreadable publication names, where that much of it can be read.
   */
  | { outcome: 'poison'; name: string | null; reason: string; arrival: Arrival | null; creatorId: string | null }

/** Reads one record of the log: envelope, version, payload, in its newest shape. Never throws. */
export function decode(record: LogRecord, types: EventTypes): Decoded {
  const json = parseJson(record.payload)
  const unreadable = (name: string | null, reason: string, arrival: Arrival | null): Decoded => ({
    ...{ outcome: 'poison', name, reason, arrival },
    creatorId: name === null || name === PUBLICATION ? creatorIdIn(record, json) : null,
  })
  if (json === undefined) return unreadable(null, 'the payload is not JSON', null)
  const parsed = compiled(Envelope).safeParse(json)
  if (!parsed.success) return unreadable(null, `envelope: ${explain(parsed.error)}`, null)
  const envelope = parsed.data
  const { subject: aggregate, sequence } = envelope

  const known = types.find(envelope.type)
  if (known === undefined) {
    const arrival = arrivalBeforeRedaction(envelope, record)
    const wasPublication = isRedactedType(envelope.type) && creatorIdIn(record, json) !== null
    return wasPublication ? unreadable(PUBLICATION, 'it was redacted', arrival) : { outcome: 'unknown', type: envelope.type, arrival }
  }
  const { name, version, type } = known
  // A custom type counts in the envelopes like an unknown one, so that adding it changes no other model.
  const poisonArrival = isEventName(name) ? unusedArrival : arrivalOf
  const poison = (reason: string): Decoded => unreadable(name, reason, poisonArrival(envelope, record))

  if (aggregate !== record.subject) return poison(`its subject is "${aggregate}" but the log filed it under "${record.subject}"`)
  const time = Date.parse(envelope.time)
  // A removal holds with any sequence and time.
  if (!REMOVAL_EVENTS.has(name)) {
    if (isAbsurdSequence(sequence, record.position)) return poison(`its sequence ${sequence} is far above its position in the log`)
    if (time > record.appendedAt + MAX_CLOCK_LEAD_MS) return poison('its time is more than five minutes after the log received it')
  }

  const data = upcastToNewest(type, version, envelope.data)
  if ('failed' in data) return poison(data.failed)
  const key = String(data.value[type.key])
  if (!aggregate.startsWith(`${type.aggregate}/`))
    return poison(`its subject is "${aggregate}", but "${name}" is about "${type.aggregate}/…"`)
  if (aggregate !== `${type.aggregate}/${key}`) return poison(`its data speak of another ${type.aggregate} than its subject`)

  const event: AnyEvent = {
    name,
    id: envelope.id,
    aggregate,
    kind: type.aggregate,
    key,
    sequence,
    position: record.position,
    time,
    data: data.value,
  }
  return { outcome: 'event', event }
}

/** Whether it is an event of that type of ours. */
export const isEvent = <N extends EventName>(event: AnyEvent, name: N): event is EventOf<N> => event.name === name

/** The person a publication names, as far as it can be read: one of its creation's owners. */
export function publisherIn(decoded: Decoded): string | null {
  if (decoded.outcome === 'poison') return decoded.creatorId
  return decoded.outcome === 'event' && isEvent(decoded.event, PUBLICATION) ? decoded.event.data.creatorId : null
}

/** `null` where the envelope contradicts the log. */
function arrivalOf({ id, subject: aggregate, sequence }: Envelope, { subject, position }: LogRecord): Arrival | null {
  if (aggregate !== subject || isAbsurdSequence(sequence, position)) return null
  const [kind = '', key = ''] = aggregate.split('/')
  return { id, aggregate, kind, key, sequence, position }
}

function unusedArrival(envelope: Envelope, record: LogRecord): Arrival | null {
  const arrival = arrivalOf(envelope, record)
  return arrival && { ...arrival, unused: true }
}

/** What the envelope said before a redaction, if there was one. */
function arrivalBeforeRedaction(envelope: Envelope, record: LogRecord): Arrival | null {
  if (envelope.type === REDACTED_TYPES.unreadable) return null
  return envelope.type === REDACTED_TYPES.poison ? unusedArrival(envelope, record) : arrivalOf(envelope, record)
}

const PUBLICATION = 'creation.published'

/** Of one that is no JSON, such as one cut short, the text is searched. */
function creatorIdIn({ subject, payload }: LogRecord, json: unknown): string | null {
  if (!subject.startsWith('creation/')) return null
  const isText = json === undefined
  const type = isText ? TYPE.exec(payload)?.[1] : fieldOf(json, 'type')
  if (typeof type === 'string' && !type.startsWith(`${PUBLICATION}.`) && !isRedactedType(type)) return null
  const id = CreatorId.safeParse(isText ? CREATOR_ID.exec(payload)?.[1] : fieldOf(fieldOf(json, 'data'), 'creatorId'))
  return id.success ? id.data : null
}

const TYPE = /"type"\s*:\s*"([^"]*)"/
const CREATOR_ID = /"creatorId"\s*:\s*"([^"]*)"/

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined

type Upcasted = { value: Record<string, unknown> } | { failed: string }

function upcastToNewest(type: EventType, version: number, data: unknown): Upcasted {
  let value = data
  for (let v = version; v < type.version; v++) {
    const older = type.older[v]
    if (older === undefined) return { failed: `version ${version} is unknown` }
    const parsed = compiled(older.schema).safeParse(value)
    if (!parsed.success) return { failed: `data: ${explain(parsed.error)}` }
    value = older.upcast(parsed.data)
  }
  if (version > type.version || version < 1) return { failed: `version ${version} is unknown` }
  const parsed = compiled(type.schema).safeParse(value)
  return parsed.success ? { value: parsed.data as Record<string, unknown> } : { failed: `data: ${explain(parsed.error)}` }
}

/** Names the fields and the rules they break, never the values: an error may outlive erased data. */
function explain(error: z.ZodError): string {
  const named = error.issues.slice(0, MAX_ISSUES).map((issue) => `${issuePath(issue) || '(root)'}: ${messageOf(issue)}`)
  const more = error.issues.length - named.length
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** A payload may be wrong in a hundred thousand places. */
const MAX_ISSUES = 5

/** Zod's messages speak of the schema, except that of unknown keys, which are the data's. */
const messageOf = ({ code, message }: z.core.$ZodIssue): string =>
  code === 'unrecognized_keys' ? code : message.replace(/^Invalid input: /, '')

/** Keys of a record come from the data, so a key of an unusual form is hidden like a value. */
function issuePath({ path }: z.core.$ZodIssue): string {
  return path.map((key) => (/^[A-Za-z0-9_-]{1,40}$/.test(String(key)) ? String(key) : '?')).join('.')
}

/** What stands in the log for a redacted event that could not be folded. No projection handles these types. */
export const REDACTED_TYPES = {
  /** The envelope could not be trusted, so the sequence says nothing. Earlier releases wrote this for the others, too. */
  unreadable: 'vitrine.redacted.v1',
  poison: 'vitrine.redacted_poison.v1',
  unknown: 'vitrine.redacted_unknown.v1',
} as const

export type RedactedType = (typeof REDACTED_TYPES)[keyof typeof REDACTED_TYPES]

const ALL: readonly string[] = Object.values(REDACTED_TYPES)

export const isRedactedType = (type: string): type is RedactedType => ALL.includes(type)
