import fc from 'fast-check'
import type { Position } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { A_FEW, ALONE, among, type DraftEvent, EVERYONE, type EventArbitraries } from './arbitrary-events.js'
import { CREATIONS, PEOPLE } from './arbitrary-fields.js'

/** A log that prints itself in readable form when a property fails. */
export interface Log {
  records: readonly LogRecord[]
}

/** Positions have room between them, so that a copy or a poison event can be put in without moving the others. */
const STEP = 100
const BEGIN = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

/** Logs over few ids, with events in any order; only the sequences of each aggregate are in order. */
export const logs = (): fc.Arbitrary<Log> =>
  fc
    .oneof(
      // Short logs, in which stubs are never filled; long ones, in which they are; and ones about one or two ids.
      fc.array(everyone.anything, { maxLength: 12, size: 'max' }),
      fc.array(everyone.anything, { minLength: 30, maxLength: 70, size: 'max' }),
      { weight: 3, arbitrary: settled(everyone, 50) },
      settled(aFew, 25),
      settled(alone, 25),
    )
    .map(logOf)

const everyone = among(EVERYONE)
const aFew = among(A_FEW)
const alone = among(ALONE)

function settled({ settling, anything }: EventArbitraries, maxLength: number): fc.Arbitrary<DraftEvent[]> {
  return fc.tuple(settling, fc.array(anything, { minLength: 5, maxLength, size: 'max' })).map((parts) => parts.flat())
}

/** Half of them with poison: what is parked must not depend on how the log was read either. */
export const anyLog: fc.Arbitrary<Log> = fc.oneof(
  logs(),
  logs().chain((log) => withPoison(log)),
)

/** Sizes of batches, for the harness. */
export const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
/** When a generation goes live, for the harness: at once, on the way, at the end. */
export const loading = fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY)

/** Gives events their sequences, positions and ids. */
export function logOf(story: readonly DraftEvent[]): Log {
  return printed(recordsOf(story))
}

/** The same events, some of them delivered again later, as new records. */
export const withCopies = (log: Log): fc.Arbitrary<Log> =>
  fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 12 }).map((picks) =>
    printed(
      inserted(
        log.records,
        picks.flatMap(([which, where]) => copied(log.records, which, where)),
      ),
    ),
  )

/** The same events, with some between them that cannot be decoded or have invalid data. */
export const withPoison = (log: Log): fc.Arbitrary<Log> =>
  fc.array(fc.tuple(fc.nat(), anyPoison), { minLength: 1, maxLength: 3 }).map((picks) =>
    printed(
      inserted(
        log.records,
        picks.map(([where, bad]) => ({ ...bad, position: positionAt(log.records, where) })),
      ),
    ),
  )

/** The same records in another order, which keeps the order within each aggregate. */
export function interleaved(records: readonly LogRecord[], choices: readonly number[]): LogRecord[] {
  const subjects = [...new Set(records.map(({ subject }) => subject))]
  const queues = subjects.map((subject) => records.filter((record) => record.subject === subject))
  const order: LogRecord[] = []
  for (let i = 0; queues.length > 0; i++) {
    const at = (choices[i % choices.length] ?? 0) % queues.length
    const queue = queues[at]
    const next = queue?.shift()
    if (next !== undefined) order.push(next)
    if (queue?.length === 0) queues.splice(at, 1)
  }
  return order
}

/** For {@link interleaved}. */
export const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 60, size: 'max' })

function printed(records: readonly LogRecord[]): Log {
  const story = () => `\n${records.map(({ position, subject, payload }) => `${position} ${subject} ${brief(payload)}`).join('\n')}\n`
  return { records, [fc.toStringMethod]: story } as Log
}

function recordsOf(story: readonly DraftEvent[]): LogRecord[] {
  const sequences = new Map<string, number>()
  return story.map(({ type, subject, data, hour, gap }, i) => {
    const sequence = (sequences.get(subject) ?? 0) + (gap ? 2 : 1)
    sequences.set(subject, sequence)
    const id = `e${i + 1}`
    const time = new Date(BEGIN + hour * 7 * HOUR).toISOString()
    return record(
      (i + 1) * STEP,
      id,
      subject,
      JSON.stringify({ specversion: '1.0', id, source: 'test', type, subject, time, sequence, data }),
    )
  })
}

const record = (position: number, id: string, subject: string, payload: string): LogRecord => ({
  position: position as Position,
  id,
  subject,
  payload,
  appendedAt: BEGIN + 1000 * HOUR,
})

function copied(records: readonly LogRecord[], which: number, where: number): LogRecord[] {
  const from = which % Math.max(1, records.length)
  const original = records[from]
  if (original === undefined) return []
  return [{ ...original, position: positionAt(records, from + (where % (records.length - from))) }]
}

const positionAt = (records: readonly LogRecord[], where: number): Position =>
  records[where % Math.max(1, records.length)]?.position ?? (0 as Position)

/** Puts each added record right after the record whose position it has, with its own position and id. */
function inserted(records: readonly LogRecord[], added: readonly LogRecord[]): LogRecord[] {
  const placed = added.map((extra, i) => ({ ...extra, id: `${extra.id}+${i}`, position: (extra.position + i + 1) as Position }))
  return [...records, ...placed].sort((a, b) => a.position - b.position)
}

const LATE = 1_000_000

/** Poison records that have no position yet. */
export const anyPoison: fc.Arbitrary<LogRecord> = fc
  .tuple(
    fc.constantFrom(...PEOPLE.map((id) => `creator/${id}`), ...CREATIONS.map((id) => `creation/${id}`)),
    fc.constantFrom('not JSON', 'no envelope', 'future version', 'broken data', 'from the future', 'wrong subject'),
  )
  .map(([subject, flaw]) => record(0, `bad ${flaw}`, subject, payloadWith(subject, flaw)))

function payloadWith(subject: string, flaw: string): string {
  if (flaw === 'not JSON') return '{'
  const [aggregate, id] = subject.split('/')
  const event = {
    specversion: '1.0',
    id: 'bad',
    source: 'test',
    type: aggregate === 'creator' ? 'creator.handle_changed.v1' : 'creation.edited.v2',
    subject: flaw === 'wrong subject' ? 'creation/other' : subject,
    time: new Date(BEGIN + (flaw === 'from the future' ? 2000 * HOUR : 0)).toISOString(),
    sequence: LATE,
    data: { [`${aggregate}Id`]: id, handle: 'poison', slug: 'poison' },
  }
  if (flaw === 'no envelope') return JSON.stringify({ ...event, sequence: 'none' })
  if (flaw === 'future version') return JSON.stringify({ ...event, type: event.type.replace(/\d$/, '9') })
  return flaw === 'broken data' ? JSON.stringify({ ...event, data: { ...event.data, handle: '.', slug: '/' } }) : JSON.stringify(event)
}

function brief(payload: string): string {
  try {
    const { type, sequence, time, data } = JSON.parse(payload)
    return `${type} #${sequence} ${time} ${JSON.stringify(data)}`
  } catch {
    return payload
  }
}
