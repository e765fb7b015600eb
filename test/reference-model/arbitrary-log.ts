import fc from 'fast-check'
import type { Position } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { A_FEW, ALONE, among, type DraftEvent, EVERYONE, type EventArbitraries } from './arbitrary-events.js'
import { CREATIONS, PEOPLE } from './arbitrary-fields.js'

/** A log that prints itself in readable form when a property fails. */
export interface Log {
  records: readonly LogRecord[]
}

const anySubject = fc.constantFrom(...PEOPLE.map((id) => `creator/${id}`), ...CREATIONS.map((id) => `creation/${id}`))

/** Positions have room between them, so that a copy or a poison event can be put in without moving the others. */
const STEP = 100
const BEGIN = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

/** Logs over few ids: what happened, and how it was delivered. */
export const logs = (): fc.Arbitrary<Log> =>
  delivered(
    fc.oneof(
      // Short logs, in which stubs are never filled; long ones, in which they are; and ones about one or two ids.
      fc.array(everyone.anything, { maxLength: 12, size: 'max' }),
      fc.array(everyone.anything, { minLength: 30, maxLength: 70, size: 'max' }),
      { weight: 3, arbitrary: settled(everyone, 50) },
      settled(aFew, 25),
      settled(alone, 25),
    ),
  )

const everyone = among(EVERYONE)
const aFew = among(A_FEW)
const alone = among(ALONE)

function settled({ settling, anything }: EventArbitraries, maxLength: number): fc.Arbitrary<DraftEvent[]> {
  return fc.tuple(settling, fc.array(anything, { minLength: 5, maxLength, size: 'max' })).map((parts) => parts.flat())
}

/**
 * Logs of these stories as upstream may deliver them: in order, with neighbours swapped, or in any order at all, and some events
 * several times. The first `before` events come first.
 */
export const delivered = (stories: fc.Arbitrary<readonly DraftEvent[]>, before = 0): fc.Arbitrary<Log> =>
  fc.tuple(stories, delays, copies).map(([story, late, again]) => {
    const records = recordsOf(story)
    const opening = records.slice(0, before)
    return printed([...opening, ...renumbered(inOrderOfArrival(records.slice(before), late, again), opening.length)])
  })

/** How many places later each event arrives, used in turn. Without delays a log is in order, and examples shrink to that. */
const delays = fc.oneof(
  { weight: 2, arbitrary: fc.constant([0]) },
  { weight: 1, arbitrary: fc.array(fc.nat(3), { minLength: 2, maxLength: 80, size: 'max' }) },
  { weight: 3, arbitrary: fc.array(fc.nat(150), { minLength: 2, maxLength: 120, size: 'max' }) },
)

/** Which events arrive again, and where: perhaps before the first copy. */
const copies = fc.oneof(fc.constant([]), fc.array(fc.tuple(fc.nat(), fc.nat(150)), { maxLength: 12 }))

function inOrderOfArrival(
  records: readonly LogRecord[],
  late: readonly number[],
  again: readonly (readonly [which: number, at: number])[],
): LogRecord[] {
  const arrivals = records.map((record, i) => ({ record, at: i + (late[i % late.length] ?? 0) }))
  for (const [copy, [which, at]] of again.entries()) {
    const record = records[which % Math.max(1, records.length)]
    if (record !== undefined) arrivals.push({ record: { ...record, id: `${record.id}~${copy}` }, at })
  }
  return arrivals.sort((a, b) => a.at - b.at).map(({ record }) => record)
}

const renumbered = (records: readonly LogRecord[], after: number): LogRecord[] =>
  records.map((record, i) => ({ ...record, position: ((after + i + 1) * STEP) as Position }))

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

export interface Removal {
  subject: string
  sequence: number
}

/** Removals with a sequence that other events have, that none has, or that is above all of theirs. */
export const anyRemoval: fc.Arbitrary<Removal> = fc.record({
  subject: anySubject,
  sequence: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(500_000)),
})

/** The same events and a removal, behind so many of them. */
export function withRemoval({ records }: Log, { subject, sequence }: Removal, behind: number): Log {
  const [aggregate, id] = subject.split('/')
  const envelope = { specversion: '1.0', id: 'end', source: 'test', type: `${aggregate}.removed.v1`, subject, time: new Date(BEGIN) }
  const payload = JSON.stringify({ ...envelope, sequence, data: { [`${aggregate}Id`]: id } })
  const removal = record(records[behind - 1]?.position ?? 0, 'end', subject, payload)
  return printed(inserted(records, [removal]))
}

/** The same records in any order, some of them more than once. */
export const shuffled = ({ records }: Log): fc.Arbitrary<Log> =>
  fc
    .tuple(
      fc.shuffledSubarray([...records], { minLength: records.length }),
      records.length === 0 ? fc.constant([]) : fc.array(fc.tuple(fc.constantFrom(...records), fc.nat()), { maxLength: 5 }),
    )
    .map(([order, again]) => printed(again.reduce((all, [record, at]) => all.toSpliced(at % (all.length + 1), 0, record), order)))

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

/** Puts each added record after the record whose position it has, at the next free position, with its own id. */
function inserted(records: readonly LogRecord[], added: readonly LogRecord[]): LogRecord[] {
  const taken = new Map(records.map((record) => [record.position, record]))
  for (const [i, extra] of added.entries()) {
    let { position } = extra
    while (position === 0 || taken.has(position)) position = (position + 1) as Position
    taken.set(position, { ...extra, id: `${extra.id}+${i}`, position })
  }
  return [...taken.values()].sort((a, b) => a.position - b.position)
}

/** Poison records that have no position yet. Those about creations may be publications, which name somebody. */
export const anyPoison: fc.Arbitrary<LogRecord> = fc
  .tuple(
    anySubject,
    fc.constantFrom('not JSON', 'no envelope', 'future version', 'broken data', 'from the future', 'wrong subject'),
    // One that other events have too, or one above all of theirs.
    fc.constantFrom(1, 2, 5, 1_000_000),
    fc.option(fc.constantFrom(...PEOPLE)),
  )
  .map(([subject, flaw, sequence, publisher]) => record(0, `bad ${flaw}`, subject, payloadWith(subject, flaw, sequence, publisher)))

function payloadWith(subject: string, flaw: string, sequence: number, publisher: string | null): string {
  if (flaw === 'not JSON') return '{'
  const [aggregate, id] = subject.split('/')
  const event = {
    specversion: '1.0',
    id: 'bad',
    source: 'test',
    type: aggregate === 'creator' ? 'creator.handle_changed.v1' : publisher === null ? 'creation.edited.v2' : 'creation.published.v2',
    subject: flaw === 'wrong subject' ? 'creation/other' : subject,
    time: new Date(BEGIN + (flaw === 'from the future' ? 2000 * HOUR : 0)).toISOString(),
    sequence,
    data: { creatorId: publisher, [`${aggregate}Id`]: id, handle: 'poison', slug: 'poison' },
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
