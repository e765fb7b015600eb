import type { z } from 'zod'
import { type catalogue, type EventName, type OwnEvent, type Position, versionedType } from '../events/index.js'
import type { LogRecord } from '../ports/event-log.js'

/** An event as a spec writes it. */
export interface Happened {
  type: string
  subject: string
  data: object
  sequence?: number
  time?: number
}

interface Overrides {
  /** Default: the next one of its aggregate. */
  sequence?: number
  /** Milliseconds since 1970. Default: one minute after the event before. */
  time?: number
}

type Input<N extends EventName> = z.input<(typeof catalogue)[N]['schema']>

const KEYS: Readonly<Record<string, string>> = { creator: 'creatorId', creation: 'creationId', category: 'slug' }

/** An event of a type of your own, or of ours by its name. */
export function happened<S extends z.ZodType>(type: OwnEvent<string, S>, data: z.input<S> & object, over?: Overrides): Happened
export function happened<N extends EventName>(name: N, data: Input<N>, over?: Overrides): Happened
export function happened(type: OwnEvent | EventName, data: object, over: Overrides = {}): Happened {
  const { name, version, aggregate, key } =
    typeof type === 'string' ? { ...ours(type), name: type } : { ...type, version: `${type.name}.v${type.version}` }
  const id = new Map(Object.entries(data)).get(key)
  if (typeof id !== 'string') throw new Error(`the data of ${name} have no "${key}"`)
  return { type: version, subject: `${aggregate}/${id}`, data, ...over }
}

function ours(name: EventName): { version: string; aggregate: string; key: string } {
  const aggregate = name.slice(0, name.indexOf('.'))
  return { version: versionedType(name), aggregate, key: KEYS[aggregate] ?? '' }
}

const DAWN = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** The events as records of a log: consecutive positions, sequences without gaps. */
export function toRecords(events: readonly Happened[]): LogRecord[] {
  const sequences = new Map<string, number>()
  return events.map(({ type, subject, data, sequence, time }, i) => {
    const position = i + 1
    const next = sequence ?? (sequences.get(subject) ?? 0) + 1
    sequences.set(subject, Math.max(next, sequences.get(subject) ?? 0))
    const at = time ?? DAWN + position * MINUTE
    const envelope = {
      specversion: '1.0',
      id: `e${position}`,
      source: '/spec',
      type,
      subject,
      time: new Date(at).toISOString(),
      sequence: next,
    }
    // The records are the log, so their places are its positions.
    return {
      position: position as Position,
      id: envelope.id,
      subject,
      appendedAt: at,
      storedAt: at,
      payload: JSON.stringify({ ...envelope, data }),
    }
  })
}
