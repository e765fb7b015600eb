import { valueAt } from '../ports/collection.js'
import type { Collection, Doc, ModelReads, RangeQuery, SearchFilter, Selectivity, ShownId } from '../ports/document-store.js'

/** The same model; reads through it add the ids of the creators and creations whose words they return. */
export function trackSubjects(view: ModelReads, subjects: Set<string>): ModelReads {
  const noted = async <D extends Doc | undefined>(collection: Collection, reading: Promise<D[]>): Promise<D[]> => {
    const found = await reading
    if (collection.shows !== undefined) for (const doc of found) if (doc !== undefined) addSubjects(subjects, collection.shows, doc)
    return found
  }
  return {
    get: <D extends Doc>(collection: Collection<D>, ids: readonly string[]) => noted(collection, view.get(collection, ids)),
    range: <D extends Doc>(collection: Collection<D>, query: RangeQuery) => noted(collection, view.range(collection, query)),
    getMatching: <D extends Doc>(collection: Collection<D>, filter: SearchFilter) =>
      noted(collection, view.getMatching(collection, filter)),
    rangeMatching: <D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity) =>
      noted(collection, view.rangeMatching(collection, query, filter, selectivity)),
    // Ids and counts have no words.
    ids: view.ids.bind(view),
    count: view.count.bind(view),
    countMatching: view.countMatching.bind(view),
    idsMatching: view.idsMatching.bind(view),
  }
}

function addSubjects(subjects: Set<string>, shown: readonly ShownId[], doc: Doc): void {
  // A tombstone has no words.
  if ('removed' in doc && doc.removed === true) return
  for (const field of shown) {
    if (typeof field === 'string') addIds(subjects, valueAt(doc, field))
    else if (valueAt(doc, field.words) !== null) addIds(subjects, valueAt(doc, field.id))
  }
}

function addIds(subjects: Set<string>, value: unknown): void {
  if (typeof value === 'string') subjects.add(value)
  else if (Array.isArray(value)) for (const id of value) addIds(subjects, id)
}
