import type { Test } from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../src/engine/fold/generation-writer.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { folderWith } from '../adapters/folder.js'
import { decode } from '../support/decode.js'

export interface LiveModel {
  deliver(records: readonly LogRecord[]): Promise<void>
  /** Shows this generation to the readers. */
  promote(): Promise<void>
}

/** A new generation of a model in a store that it shares with others. */
export async function live(t: Test, store: DocumentStore, definition: Projection): Promise<LiveModel> {
  const projection = withDeadLetters(definition)
  const generation = await store.createGeneration(projection.name, projection.version, projection.collections)
  const opened = await store.openGeneration(generation, projection.collections)
  t.teardown(() => opened.close())
  await opened.buildIndexes()
  const writer = await GenerationWriter.open(projection, opened, 1, false)
  return {
    deliver: (records) => writer.advance(records.map((record) => ({ record, decoded: decode(record) }))),
    promote: () => store.promote(generation),
  }
}

export async function openedStore(t: Test): Promise<DocumentStore> {
  const store = await openSqliteStore(folderWith())
  t.teardown(() => store.close())
  return store
}
