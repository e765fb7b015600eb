import { deepStrictEqual, equal } from 'node:assert/strict'
import { withScratchStore } from '../compose/stores.js'
import type { Projection } from '../engine/definition/projection.js'
import type { LogRecord } from '../ports/event-log.js'
import { type Documents, fold } from './fold.js'
import { type Happened, toRecords } from './happened.js'

/** By collection: these are all its documents, each with at least these fields. */
export type Expected = Record<string, Record<string, object>>

/**
 * Specs of a projection: `given(projection, …events).when(…events).then(documents)`, folded by the real engine. Every spec also runs
 * with each event delivered twice, cut into batches at every place, and one event at a time; an order-free projection also
 * backwards. All of them must leave the same documents.
 */
export function given(projection: Projection, ...before: readonly Happened[]) {
  const spec = (events: readonly Happened[]) => ({
    // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of a spec
    then: (expected: Expected): Promise<void> => check(projection, events, expected),
  })
  return { ...spec(before), when: (...events: readonly Happened[]) => spec([...before, ...events]) }
}

async function check(projection: Projection, events: readonly Happened[], expected: Expected): Promise<void> {
  if (typeof expected !== 'object') throw new Error('a spec ends with .then({ collection: { id: document } })')
  const records = toRecords(events)
  await withScratchStore(async (store) => {
    const documents = await fold(store, projection, [records])
    compare(documents, expected)
    for (const [how, batches] of deliveries(projection, records)) {
      const others = await fold(store, projection, batches)
      deepStrictEqual(others, documents, `${how} leaves other documents than all at once`)
      equal(JSON.stringify(others), JSON.stringify(documents), `${how} leaves the fields in another order`)
    }
  })
}

function* deliveries({ orderFree }: Projection, records: readonly LogRecord[]): Generator<[how: string, batches: LogRecord[][]]> {
  yield ['every event twice', [records.flatMap((record) => [record, record])]]
  yield ['one event at a time', records.map((record) => [record])]
  for (let cut = 1; cut < records.length; cut++) yield [`cut after event ${cut}`, [records.slice(0, cut), records.slice(cut)]]
  if (orderFree) yield ['backwards', [reversed(records)]]
}

/** The last event first. Positions grow in every log. */
const reversed = (records: readonly LogRecord[]): LogRecord[] =>
  records.toReversed().map((record, i) => ({ ...record, position: records[i]?.position ?? record.position }))

function compare(documents: Documents, expected: Expected): void {
  for (const [collection, byId] of Object.entries(expected)) {
    const found = documents[collection]
    if (found === undefined) throw new Error(`there is no collection "${collection}", only ${Object.keys(documents).join(', ')}`)
    deepStrictEqual(Object.keys(found).sort(), Object.keys(byId).sort(), `the documents of ${collection}`)
    for (const [id, fields] of Object.entries(byId)) {
      const wanted = Object.keys(fields)
      const shown: object = Object.fromEntries(Object.entries(found[id] ?? {}).filter(([field]) => wanted.includes(field)))
      deepStrictEqual(shown, fields, `${collection}/${id}`)
    }
  }
}
