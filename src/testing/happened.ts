import type { z } from 'zod'
import { builtInEvents, type catalogue, type EventName, type OwnEvent, type Position } from '../events/index.js'
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

/** An event of a type of your own, or of ours by its name. */
export function happened<S extends z.ZodType>(type: OwnEvent<string, S>, data: z.input<S> & object, over?: Overrides): Happened
export function happened<N extends EventName>(name: N, data: Input<N>, over?: Overrides): Happened
export function happened(type: OwnEvent | EventName, data: object, over: Overrides = {}): Happened {
  const [name, known] = typeof type === 'string' ? [type, builtInEvents.get(type)] : [type.name, type]
  if (known === undefined) throw new Error(`there is no event type "${name}"`)
  const id = new Map(Object.entries(data)).get(known.key)
  if (typeof id !== 'string') throw new Error(`the data of ${name} have no "${known.key}"`)
  return { type: `${name}.v${known.version}`, subject: `${known.aggregate}/${id}`, data, ...over }
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
