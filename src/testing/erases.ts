import { deepStrictEqual } from 'node:assert/strict'
import { withScratchStore } from '../compose/stores.js'
import type { Projection } from '../engine/definition/projection.js'
import { type AnyEvent, decode, redacted } from '../events/index.js'
import type { LogRecord } from '../ports/event-log.js'
import { type Documents, fold } from './fold.js'
import { type Happened, happened, toRecords } from './happened.js'

/**
 * Checks the erasure of a person: wherever among these events `creator.removed` comes, the documents hold neither the person's words
 * nor their id, except in tombstones; and the redacted events leave the same documents.
 */
export async function erases(projection: Projection, person: string, ...events: readonly Happened[]): Promise<void> {
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
    }
  })
}

/** A removal holds with any sequence; this one leaves the sequences of the other events as they are. */
const LAST_SEQUENCE = 1_000_000

function redactedRecord(record: LogRecord, { events }: Projection): LogRecord {
  return { ...record, payload: redacted(record, events) ?? record.payload }
}

/** The events that hold the person's data. */
function eventsOf({ events: types }: Projection, person: string, records: readonly LogRecord[]) {
  const decoded = new Map<LogRecord, AnyEvent>()
  for (const record of records) {
    const result = decode(record, types)
    if (result.outcome !== 'event') throw new Error(`${record.subject}: ${result.outcome === 'poison' ? result.reason : 'an unknown type'}`)
    decoded.set(record, result.event)
  }
  const naming = new Set<string>()
  for (const event of decoded.values()) if (types.peopleIn(event).includes(person)) naming.add(`${event.aggregate} ${event.name}`)
  const isTheirs = (event: AnyEvent): boolean => {
    const type = types.get(event.name)
    if (type !== undefined && 'sameAs' in type.people) return naming.has(`${event.aggregate} ${type.people.sameAs}`)
    return types.peopleIn(event).includes(person)
  }
  return new Map([...decoded].filter(([, event]) => isTheirs(event)))
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
      const isTombstone = 'removed' in doc && doc.removed === true
      if (!isTombstone && named.test(text)) throw new Error(`removed ${where}, ${collection}/${id} still names ${person}`)
    }
  }
}
