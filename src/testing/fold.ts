import { deadLetters, withDeadLetters } from '../engine/definition/dead-letter-collections.js'
import { type Projection, strict } from '../engine/definition/projection.js'
import { scanDocuments } from '../engine/definition/scan-documents.js'
import { GenerationWriter } from '../engine/fold/generation-writer.js'
import { decode } from '../events/index.js'
import type { Doc, DocumentStore, Generation, GenerationStore } from '../ports/document-store.js'
import type { LogRecord } from '../ports/event-log.js'

/** All documents of a projection, by collection and id. */
export type Documents = Record<string, Record<string, Doc>>

type Batches = readonly (readonly LogRecord[])[]

/** Folds batches with the engine and the embedded store, each by a new leader that knows only what the store holds. */
export async function fold(store: DocumentStore, definition: Projection, batches: Batches): Promise<Documents> {
  const [created, generation] = await folded(store, definition, batches)
  try {
    const found: Documents = {}
    for (const collection of definition.collections) {
      const documents: Record<string, Doc> = {}
      for await (const doc of scanDocuments(generation, collection)) documents[doc._id] = doc
      found[collection.name] = documents
    }
    return found
  } finally {
    await generation.close()
    await store.dropGeneration(created)
  }
}

/** The same, for readers. */
export async function foldLive(store: DocumentStore, definition: Projection, batches: Batches): Promise<void> {
  const [created, generation] = await folded(store, definition, batches)
  await generation.close()
  await store.promote(created)
}

async function folded(store: DocumentStore, definition: Projection, batches: Batches): Promise<[Generation, GenerationStore]> {
  const projection = withDeadLetters(strict(definition))
  const created = await store.createGeneration(projection.name, projection.version, projection.collections)
  const generation = await store.openGeneration(created, projection.collections)
  try {
    await generation.buildIndexes()
    for (const [i, batch] of batches.entries()) {
      const writer = await GenerationWriter.open(projection, generation, i + 1, false)
      await writer.advance(batch.map((record) => ({ record, decoded: decode(record, projection.events) })))
    }
    for await (const { aggregate, error } of scanDocuments(generation, deadLetters))
      throw new Error(`an event of ${aggregate} cannot be folded: ${error.message}`)
    return [created, generation]
  } catch (error) {
    await generation.close()
    await store.dropGeneration(created)
    throw error
  }
}
