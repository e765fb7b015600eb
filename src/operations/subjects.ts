import { valueAt } from '../ports/collection.js'
import type { Collection, Doc, ModelView, RangeQuery, SearchFilter, Selectivity } from '../ports/document-store.js'

/** The same model; reads through it add the ids of the creators and creations whose words they return. */
export function trackSubjects(view: ModelView, subjects: Set<string>): ModelView {
  const noted = async <D extends Doc | undefined>(collection: Collection, reading: Promise<D[]>): Promise<D[]> => {
    const found = await reading
    if (collection.shows !== undefined) for (const doc of found) if (doc !== undefined) addSubjects(subjects, collection.shows, doc)
    return found
  }
  return {
    generation: view.generation,
    checkpoint: view.checkpoint,
    invalidationLog: view.invalidationLog,
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
    indexFaults: view.indexFaults.bind(view),
  }
}

function addSubjects(subjects: Set<string>, fields: readonly string[], doc: Doc): void {
  for (const field of fields) addIds(subjects, valueAt(doc, field))
}

function addIds(subjects: Set<string>, value: unknown): void {
  if (typeof value === 'string') subjects.add(value)
  else if (Array.isArray(value)) for (const id of value) addIds(subjects, id)
}
