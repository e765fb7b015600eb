import type { Projection } from '../../src/engine/definition/projection.js'
import type { Collection, Reads } from '../../src/ports/document-store.js'

/** All documents of a projection, as text: `collection/id` → the document's JSON. */
export type Dump = ReadonlyMap<string, string>

export async function dumpOf(collections: readonly Collection[], reads: Reads): Promise<Dump> {
  const dump = new Map<string, string>()
  for (const collection of collections) {
    const docs = await reads.range(collection, { index: '_id', equals: [], limit: Number.MAX_SAFE_INTEGER })
    for (const doc of docs) dump.set(`${collection.name}/${doc._id}`, JSON.stringify(doc))
  }
  return dump
}

/** Throws with the documents that differ, byte by byte. */
export function sameDump(actual: Dump, expected: Dump): void {
  const names = [...new Set([...expected.keys(), ...actual.keys()])].sort()
  const different = names.filter((name) => actual.get(name) !== expected.get(name))
  if (different.length === 0) return
  const lines = different.map((name) => `${name}\n    is        ${brief(actual.get(name))}\n    should be ${brief(expected.get(name))}`)
  throw new Error(`${different.length} of ${names.length} documents differ:\n${lines.join('\n')}`)
}

const brief = (text = 'not there'): string => (text.length > 1500 ? `${text.slice(0, 1500)}…` : text)

export const withoutDeadLetters = (dump: Dump): Dump => new Map([...dump].filter(([name]) => !/^(parked|letters)\//.test(name)))

/** Why an event was set aside is for people to read. */
export function withoutReasons(dump: Dump): Dump {
  return new Map(
    [...dump].map(([name, text]) => [name, name.startsWith('letters/') ? JSON.stringify(withoutReason(JSON.parse(text))) : text]),
  )
}

function withoutReason({ error, ...letter }: { error: object | null }): object {
  return { ...letter, failed: error !== null }
}

/** What came late or again is about the order of events; what is missing is not. */
export function withoutRecordOfArrivals({ name }: Projection, dump: Dump): Dump {
  if (name !== 'integrity') return dump
  const kept = [...dump].filter(([id]) => id.startsWith('arrivals/') || id.startsWith('integrity/'))
  return new Map(kept.map(([id, text]) => [id, JSON.stringify(JSON.parse(text), ['_id', 'last', 'missing', 'aggregates', 'gaps'])]))
}
