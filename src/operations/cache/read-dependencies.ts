import { documentMark, entriesMark } from '../../invalidation/cache-tags.js'
import type { Beside, Collection, Doc, IndexQuery, ModelView, Odds, RangeQuery, WordQuery } from '../../ports/document-store.js'

/** The marks of everything that one answer is read from. */
export class Footprint {
  readonly #marks = new Set<number>()

  get marks(): Uint32Array {
    return Uint32Array.from(this.#marks)
  }

  /** The same model; whatever is read through it leaves its marks here. */
  follow(view: ModelView): ModelView {
    const marks = this.#marks
    return {
      generation: view.generation,
      checkpoint: view.checkpoint,
      trail: view.trail,
      // No answer is made from it.
      indexFaults: (collection) => view.indexFaults(collection),
      get<D extends Doc>(collection: Collection<D>, ids: readonly string[]) {
        for (const id of ids) marks.add(documentMark(collection, id))
        return view.get(collection, ids)
      },
      async range<D extends Doc>(collection: Collection<D>, query: RangeQuery) {
        marks.add(entriesMark(collection, query))
        const found = await view.range(collection, query)
        for (const { _id } of found) marks.add(documentMark(collection, _id))
        return found
      },
      ids(collection: Collection, query: RangeQuery) {
        marks.add(entriesMark(collection, query))
        return view.ids(collection, query)
      },
      count(collection: Collection, query: IndexQuery, atMost?: number) {
        marks.add(entriesMark(collection, query))
        return view.count(collection, query, atMost)
      },
      countWith(collection: Collection, query: WordQuery) {
        marks.add(wordsMark(collection, query))
        return view.countWith(collection, query)
      },
      idsWith(collection: Collection, query: WordQuery, limit: number) {
        marks.add(wordsMark(collection, query))
        return view.idsWith(collection, query, limit)
      },
      async getWith<D extends Doc>(collection: Collection<D>, beside: Beside) {
        marks.add(wordsMark(beside.collection, beside.query))
        const found = await view.getWith(collection, beside)
        for (const { _id } of found) marks.add(documentMark(collection, _id))
        return found
      },
      async rangeWith<D extends Doc>(collection: Collection<D>, query: RangeQuery, beside: Beside, odds: Odds) {
        marks.add(entriesMark(collection, query)).add(wordsMark(beside.collection, beside.query))
        const found = await view.rangeWith(collection, query, beside, odds)
        for (const { _id } of found) marks.add(documentMark(collection, _id))
        return found
      },
    }
  }
}

/** Whatever holds all of the words, or did, is listed under the first of them; a beginning of a word may be that of any. */
const wordsMark = (collection: Collection, { index, whole }: WordQuery): number =>
  entriesMark(collection, { index, equals: whole.slice(0, 1) })
