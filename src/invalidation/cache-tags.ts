/**
 * Reading leaves marks, and so does writing. What was written without leaving any of the marks of a reading would be read
 * the same again. Marks are numbers: two things may share one, and then somebody reads once more than needed.
 */
import { fnv1a } from '../lib/hash.js'
import { indexEntries, sameIndexEntries } from '../ports/collection.js'
import type { Collection, Doc, IndexQuery, Write } from '../ports/document-store.js'

/** Of a document, or of a part of it. */
export const documentTag = ({ name, fieldGroup = '' }: Collection, id: string): number => fnv1a(`${name} ${fieldGroup} ${id}`)

/** Of what an index holds: under one value of its first field, or everywhere. */
export function indexTag({ name, indexes }: Collection, { index, equals }: IndexQuery): number {
  // Whoever looks at documents without a readers' index may find any of them.
  if (!indexes.some((spec) => spec.name === index && spec.use === 'query')) return fnv1a(`${name} *`)
  return equals[0] === undefined ? fnv1a(`${name}.${index} *`) : indexValueTag(name, index, equals[0])
}

export type DocumentRef = Pick<Write, 'collection' | 'id'>

/** All that a commit touches. Of `others` only the names are known; no index holds them. */
export function tagsOfCommit(writes: readonly Write[], others: readonly DocumentRef[] = []): Set<number> {
  const marks = new Set<number>()
  for (const write of writes) addTags(marks, write)
  for (const { collection, id } of others) {
    marks.add(fnv1a(`${collection.name} *`)).add(documentTag(collection, id))
    for (const fieldGroup of Object.keys(collection.fieldGroups ?? {})) marks.add(documentTag({ ...collection, fieldGroup }, id))
  }
  return marks
}

function addTags(marks: Set<number>, { collection, id, before, after }: Write): void {
  const { name, indexes, fieldGroups = {} } = collection
  marks.add(fnv1a(`${name} *`)).add(documentTag(collection, id))
  for (const [part, fields] of Object.entries(fieldGroups)) {
    if (!sameFields(fields, before, after)) marks.add(documentTag({ ...collection, fieldGroup: part }, id))
  }
  for (const index of indexes) {
    if (index.use !== 'query' || sameIndexEntries(index, before, after)) continue
    marks.add(fnv1a(`${name}.${index.name} *`))
    for (const doc of [before, after]) {
      for (const [first] of indexEntries(index, doc)) if (first !== undefined) marks.add(indexValueTag(name, index.name, first))
    }
  }
}

const indexValueTag = (collection: string, index: string, value: string | number): number =>
  fnv1a(`${collection}.${index} ${typeof value === 'number' ? '#' : '='}${value}`)

function sameFields(fields: readonly string[], before: Doc | undefined, after: Doc | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  const [a, b] = [before as unknown as Record<string, unknown>, after as unknown as Record<string, unknown>]
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]))
}
