/** Communities of any size, made of documents as the projections fold them, without folding fifteen events for each creation. */

import { demoLog } from '../../demo/index.js'
import { wordDoc } from '../../projections/feed/search-terms.js'
import { counters, type ItemDoc, items } from '../../readmodels/feed/documents.js'
import { type TermsDoc, TITLE, terms, wordCounts } from '../../readmodels/feed/search/documents.js'
import { DEAD_LETTER_COLLECTIONS } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import type { Checkpoint, Collection, Doc, DocumentStore, GenerationStore, Reads } from '../../src/ports/document-store.js'
import { projections } from '../../test/support/built-in-models.js'
import { project, writeLog } from '../workspace.js'
import { COPIES } from './copies.js'

/** Creations that are really folded. */
export const FOLDED = 2000
const CHUNK = 5000

/** A log of the demo's first community, and its models in SQLite. */
export async function foldBaseCommunity(folder: string): Promise<void> {
  await writeLog(folder, demoLog({ creators: FOLDED / 10, creations: FOLDED, seed: 1, webUrl: 'https://vitrine.example' }))
  await project(folder)
}

/**
 * Fills a store with as many communities like the folded one as it takes. They go through the store's port into a new
 * generation whose checkpoint is that of the folded one, so that a projector continues from there.
 */
export async function replicateCommunity(from: DocumentStore, to: DocumentStore, creations: number): Promise<void> {
  const snapshot = await from.snapshot(projections.map(({ name }) => name))
  try {
    for (const projection of projections) {
      const model = snapshot.model(projection.name)
      await fill(to, projection, model, model.checkpoint, Math.ceil(creations / FOLDED))
    }
  } finally {
    snapshot.release()
  }
}

async function fill(to: DocumentStore, { name, version, collections }: Projection, from: Reads, checkpoint: Checkpoint, times: number) {
  const all = [...collections, ...DEAD_LETTER_COLLECTIONS]
  const generation = await to.createGeneration(name, version, all)
  const opened = await to.openGeneration(generation, all)
  const writer = new Writer(opened, await opened.fence(1))
  const facets = new Map<string, number>()
  const words = new Map<string, number>()
  for (const collection of collections) {
    // Likes are only ever read by the fold; what is counted comes at the end.
    if (collection === counters || collection === wordCounts || collection.name === 'likes') continue
    for (const doc of copies(collection, await allOf(from, collection), times)) {
      if (collection === items) count(facets, publicFacets(doc as ItemDoc))
      if (collection === terms) count(words, new Set((doc as TermsDoc).ranked.map((form) => form.slice(TITLE.length))))
      await writer.add(collection, doc)
    }
  }
  for (const [_id, count] of facets) await writer.add(counters, { _id, count } as Doc)
  for (const [word, count] of words) await writer.add(wordCounts, { _id: word, ...wordDoc(word, count) })
  await writer.end({ ...checkpoint, epoch: 1 })
  await opened.buildIndexes()
  await opened.close()
  await to.promote(generation)
}

function* copies(collection: Collection, docs: readonly Doc[], times: number): Iterable<Doc> {
  const copy = COPIES[collection.name]
  yield* docs
  if (copy === undefined) return
  const any = (chance: number): Doc => docs[chance % docs.length] as Doc
  for (let n = 1; n < times; n++) {
    for (const doc of docs) {
      const made = copy(doc, n, any)
      if (made !== null) yield made
    }
  }
}

function count(counts: Map<string, number>, named: Iterable<string>): void {
  for (const name of named) counts.set(name, (counts.get(name) ?? 0) + 1)
}

const publicFacets = (doc: ItemDoc): readonly string[] => (doc.removed ? [] : doc.facets)

async function allOf(reads: Reads, collection: Collection): Promise<Doc[]> {
  return reads.range(collection, { index: '_id', equals: [], limit: 1_000_000 })
}

class Writer {
  readonly #to: GenerationStore
  readonly #at: Checkpoint
  #waiting: { collection: Collection; id: string; before: undefined; after: Doc }[] = []

  constructor(to: GenerationStore, at: Checkpoint) {
    this.#to = to
    this.#at = at
  }

  async add(collection: Collection, after: Doc): Promise<void> {
    this.#waiting.push({ collection, id: after._id, before: undefined, after })
    if (this.#waiting.length === CHUNK) await this.end(this.#at)
  }

  async end(to: Checkpoint): Promise<void> {
    const writes = this.#waiting
    this.#waiting = []
    await this.#to.commit({ from: this.#at, to, writes })
  }
}
