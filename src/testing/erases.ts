import { deepStrictEqual } from 'node:assert/strict'
import { withScratchStore } from '../compose/stores.js'
import type { Projection } from '../engine/definition/projection.js'
import { type AnyEvent, decode, redacted } from '../events/index.js'
import type { Doc } from '../ports/document-store.js'
import type { LogRecord } from '../ports/event-log.js'
import { type Documents, fold } from './fold.js'
import { atSpec, projectionsOf, type Subject } from './given.js'
import { type Happened, happened, toRecords } from './happened.js'

/**
 * Checks the erasure of a person: wherever among these events `creator.removed` comes, the documents hold neither the person's words
 * nor their id, except in tombstones; what is left, counts included, is what would be there without their events; and the redacted
 * events leave the same documents.
 */
export const erases = (subject: Subject, person: string, ...events: readonly Happened[]): Promise<void> =>
  atSpec(erases, async () => {
    const records = toRecords(events)
    if (!projectionsOf(subject).some((projection) => eventsOf(projection, person, records).size > 0))
      throw new Error(`no event names "${person}", so nothing would be checked`)
    for (const projection of projectionsOf(subject)) await erasesFrom(projection, person, events)
  })

async function erasesFrom(projection: Projection, person: string, events: readonly Happened[]): Promise<void> {
  const removal = happened('creator.removed', { creatorId: person })
  const words = wordsOf(projection, person, toRecords(events))
  await withScratchStore(async (store) => {
    for (let at = 0; at <= events.length; at++) {
      const where = at === events.length ? 'after all events' : `after ${at} events`
      const records = toRecords([...events.slice(0, at), { ...removal, sequence: LAST_SEQUENCE }, ...events.slice(at)])
      const documents = await fold(store, projection, [records])
      assertGone(documents, person, words, where)
      const theirs = eventsOf(projection, person, records)
      const without = records.map((record) => (theirs.has(record) ? redactedRecord(record, projection) : record))
      deepStrictEqual(await fold(store, projection, [without]), documents, `redacted events leave other documents, removed ${where}`)
      const others = records.filter((record) => !theirs.has(record) && !isRemoved(documents, projection, record))
      const expected = lasting(await fold(store, projection, [others]), documents, projection)
      deepStrictEqual(lasting(documents, documents, projection), expected, `removed ${where}, something of ${person} still counts`)
    }
  })
}

/** A removal holds with any sequence; this one leaves the sequences of the other events as they are. */
const LAST_SEQUENCE = 1_000_000

function redactedRecord(record: LogRecord, { events }: Projection): LogRecord {
  return { ...record, payload: redacted(record, events) ?? record.payload }
}

/** Whether the aggregate of an event went with the person. */
function isRemoved(documents: Documents, { state }: Projection, { subject }: LogRecord): boolean {
  const [kind = '', id = ''] = subject.split('/')
  return isTombstone(documents[state[kind]?.collection.name ?? '']?.[id])
}

/** What of the documents does not depend on how many events there were: without sequences, tombstones, and what nothing is known of. */
function lasting(documents: Documents, erased: Documents, { state }: Projection): Documents {
  const blank = new Map(Object.values(state).map(({ collection, blank }) => [collection.name, blank]))
  return Object.fromEntries(
    Object.entries(documents).map(([collection, byId]) => {
      const kept = Object.entries(byId).filter(([id]) => !isTombstone(erased[collection]?.[id]))
      const plain = kept.map(([id, doc]) => [id, withoutSequences(doc)] as const)
      const nothing = JSON.stringify(withoutSequences(blank.get(collection)?.('') ?? { _id: '' }))
      return [collection, Object.fromEntries(plain.filter(([, doc]) => JSON.stringify({ ...doc, _id: '' }) !== nothing))]
    }),
  )
}

function withoutSequences(doc: Doc): Doc {
  const { seq: _seq, v: _v, gaps: _gaps, ...rest } = doc as Doc & { seq?: number; v?: unknown; gaps?: unknown }
  return rest
}

const isTombstone = (doc: Doc | undefined): boolean => doc !== undefined && 'removed' in doc && doc.removed === true

/** The events that hold the person's data. */
function eventsOf({ events: types }: Projection, person: string, records: readonly LogRecord[]): Map<LogRecord, AnyEvent> {
  const naming = new Set<string>()
  const decoded = records.map((record) => {
    const result = decode(record, types)
    if (result.outcome !== 'event') throw new Error(`${record.subject}: ${result.outcome === 'poison' ? result.reason : 'an unknown type'}`)
    if (types.peopleIn(result.event).includes(person)) naming.add(`${result.event.aggregate} ${result.event.name}`)
    return [record, result.event] as const
  })
  const isTheirs = ([, event]: readonly [LogRecord, AnyEvent]): boolean => {
    const type = types.get(event.name)
    if (type !== undefined && 'sameAs' in type.people) return naming.has(`${event.aggregate} ${type.people.sameAs}`)
    return types.peopleIn(event).includes(person)
  }
  return new Map(decoded.filter(isTheirs))
}

/** The texts that redaction takes out of the person's events. */
function wordsOf(projection: Projection, person: string, records: readonly LogRecord[]): string[] {
  const words = new Set<string>()
  for (const [{ payload }, event] of eventsOf(projection, person, records)) {
    const left = new Set(textsIn(projection.events.get(event.name)?.redact?.(event.data) ?? event.data))
    for (const text of textsIn(JSON.parse(payload).data)) if (!left.has(text) && text !== '') words.add(text)
  }
  return [...words]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function assertGone(documents: Documents, person: string, words: readonly string[], where: string): void {
  const named = new RegExp(`(?<![A-Za-z0-9_-])${person}(?![A-Za-z0-9_-])`)
  for (const [collection, byId] of Object.entries(documents)) {
    for (const [id, doc] of Object.entries(byId)) {
      const text = JSON.stringify(doc)
      const word = words.find((each) => text.includes(JSON.stringify(each).slice(1, -1)))
      if (word !== undefined) throw new Error(`removed ${where}, ${collection}/${id} still shows "${word}"`)
      if (!isTombstone(doc) && named.test(text)) throw new Error(`removed ${where}, ${collection}/${id} still names ${person}`)
    }
  }
}
