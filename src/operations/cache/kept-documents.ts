import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { documentTag } from '../../invalidation/invalidation-log.js'
import { coalesce } from '../../lib/coalesce.js'
import { aroundReads } from '../../ports/around-reads.js'
import type { Collection, Doc, ModelReads, ModelView } from '../../ports/document-store.js'
import type { ModelVersion, ModelVersions } from './model-versions.js'

interface KeptDocument {
  doc: Doc
  version: ModelVersion
  tags: Uint32Array
  /** The change up to which it is known to be the same. */
  change: number
}

export const MAX_KEPT_BYTES = 16 * 1024 * 1024
/** About what a document takes besides its texts, and each character of it as JSON. */
const OVERHEAD_BYTES = 1000
const BYTES_PER_CHARACTER = 2
const CHECKS_PER_TURN = 500

/**
 * Documents that were read lately. An answer that has to be made anew reads only those that have changed since. For built-in models:
 * custom reads may change what they get.
 */
export class KeptDocuments {
  readonly #versions: ModelVersions
  readonly #models: ReadonlySet<string>
  readonly #documents: LRUCache<string, KeptDocument>

  constructor(versions: ModelVersions, models: Iterable<string>, maxBytes = MAX_KEPT_BYTES) {
    this.#versions = versions
    this.#models = new Set(models)
    this.#documents = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ doc }) => OVERHEAD_BYTES + BYTES_PER_CHARACTER * JSON.stringify(doc).length,
    })
  }

  get bytes(): number {
    return this.#documents.calculatedSize
  }

  /** The same model; what is kept of this version is not read again. */
  over(view: ModelView, version: ModelVersion): ModelReads {
    if (!this.#models.has(version.model)) return view
    const get = async <D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> => {
      // A reader of an older moment must not get newer documents.
      if (!this.#versions.isKnown(version)) return view.get(collection, ids)
      const { change } = this.#versions
      const prefix = `${version.model} ${collection.name} ${collection.fieldGroup ?? ''} `
      const found = new Map<string, D>()
      for (const id of ids) {
        const kept = this.#current(prefix + id)
        if (kept !== undefined) found.set(id, kept as D)
      }
      const missing = ids.filter((id) => !found.has(id))
      for (const doc of missing.length === 0 ? [] : await view.get(collection, missing)) {
        if (doc === undefined) continue
        found.set(doc._id, doc)
        this.#documents.set(prefix + doc._id, { doc, version, tags: Uint32Array.of(documentTag(collection, doc._id)), change })
      }
      return ids.map((id) => found.get(id))
    }
    return {
      ...aroundReads(view, (_what, read) => read()),
      get,
      range: async (collection, query) => (await get(collection, await view.ids(collection, query))).filter((doc) => doc !== undefined),
    }
  }

  /** After a removal, nothing is kept that it may have changed. */
  readonly dropChanged = coalesce(async () => {
    let checked = 0
    for (const key of [...this.#documents.keys()]) {
      this.#current(key)
      // Requests come in between.
      if (++checked % CHECKS_PER_TURN === 0) await turn()
    }
  })

  #current(key: string): Doc | undefined {
    const kept = this.#documents.get(key)
    if (kept === undefined) return undefined
    if (kept.change < this.#versions.change) {
      if (this.#versions.mayHaveChanged([kept.version], kept.change, kept.tags)) {
        this.#documents.delete(key)
        return undefined
      }
      kept.change = this.#versions.change
    }
    return kept.doc
  }
}
