import type { Collection, DocumentStore, GenerationStore } from '../../src/ports/document-store.js'
import { projections } from '../support/built-in-models.js'
import { type Dump, dumpOf } from '../support/dump.js'
import { withLive } from '../support/live-documents.js'

/** Every document and index of every live model, and its checkpoint. */
export async function dumpModels(documents: DocumentStore): Promise<Dump> {
  const everything = new Map<string, string>()
  for (const projection of projections) {
    const { name } = projection
    await withLive(documents, projection, async (opened, all) => {
      for (const [id, doc] of await dumpOf(all, opened)) everything.set(`${name}/${id}`, doc)
      for (const collection of all) await listIndexes(everything, `${name}/${collection.name}`, collection, opened)
      // The epoch counts leaders, and a crash makes another one.
      const { epoch: _, ...checkpoint } = await opened.checkpoint()
      everything.set(`${name} checkpoint`, JSON.stringify({ ...checkpoint, tallies: sorted(checkpoint.tallies) }))
    })
  }
  return everything
}

async function listIndexes(
  everything: Map<string, string>,
  prefix: string,
  collection: Collection,
  opened: GenerationStore,
): Promise<void> {
  // One on a list is only asked for an element.
  for (const { name } of collection.indexes.filter(({ each }) => each === undefined)) {
    const ids = await opened.ids(collection, { index: name, equals: [], limit: Number.MAX_SAFE_INTEGER })
    everything.set(`${prefix} by ${name}`, ids.join(' '))
  }
}

const sorted = (tallies: Record<string, number>) => Object.fromEntries(Object.entries(tallies).sort(([a], [b]) => (a < b ? -1 : 1)))
