import { aroundReads } from '../ports/around-reads.js'
import { valueAt } from '../ports/collection.js'
import type { Doc, ModelReads, ShownId } from '../ports/document-store.js'

/** The same model; reads through it add the ids of the creators and creations whose words they return. */
export const trackSubjects = (view: ModelReads, subjects: Set<string>): ModelReads =>
  aroundReads(view, async ({ collection: { shows } }, read, documentsIn) => {
    const found = await read()
    if (shows !== undefined) for (const doc of documentsIn(found)) addSubjects(subjects, shows, doc)
    return found
  })

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
