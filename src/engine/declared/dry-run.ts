import type { Collection, Doc } from '../../ports/document-store.js'
import { type Docs, type Ref, ref } from '../definition/projection.js'

/**
 * The documents that a fold uses, learned by folding without effect. Where one is not loaded yet it is taken as missing, so what comes
 * after it may be wrong, and is asked again once it is loaded. An error ends the run: it comes again in the fold, if it is one.
 */
export function refsUsed(docs: Docs, fold: (docs: Docs) => void): readonly Ref[] {
  const run = new DryRun(docs)
  try {
    fold(run)
  } catch {}
  return run.refs
}

export class DryRun implements Docs {
  readonly refs: Ref[] = []
  readonly #drafts: { collection: Collection; id: string; doc: Doc | null }[] = []
  readonly #base: Docs

  constructor(base: Docs) {
    this.#base = base
  }

  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined {
    const draft = this.#draftOf(collection, id)
    // A draft of a collection is one of its documents.
    if (draft !== undefined) return (draft.doc ?? undefined) as D | undefined
    this.refs.push(ref(collection, id))
    return this.#base.get(collection, id)
  }

  put<D extends Doc>(collection: Collection<D>, doc: D): void {
    this.#draft(collection, doc._id, doc)
  }

  delete<D extends Doc>(collection: Collection<D>, id: string): void {
    this.#draft(collection, id, null)
  }

  #draft(collection: Collection, id: string, doc: Doc | null): void {
    const draft = this.#draftOf(collection, id)
    if (draft !== undefined) draft.doc = doc
    else {
      this.refs.push({ collection, id })
      this.#drafts.push({ collection, id, doc })
    }
  }

  /** So few that a linear search is fastest. */
  #draftOf(collection: Collection, id: string) {
    return this.#drafts.find((draft) => draft.id === id && draft.collection.name === collection.name)
  }
}
