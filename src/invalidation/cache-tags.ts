/**
 * Reading leaves marks, and so does writing. What was written without leaving any of the marks of a reading would be read
 * the same again. Marks are numbers: two things may share one, and then somebody reads once more than needed.
 */
import { hash } from '../lib/hash.js'
import { entriesOf, sameEntries } from '../ports/collection.js'
import type { Collection, Doc, IndexQuery, Write } from '../ports/document-store.js'

/** Of a document, or of a part of it. */
export const documentMark = ({ name, part = '' }: Collection, id: string): number => hash(`${name} ${part} ${id}`)

/** Of what an index holds: under one value of its first field, or everywhere. */
export function entriesMark({ name, indexes }: Collection, { index, equals }: IndexQuery): number {
  // Whoever looks at documents without a readers' index may find any of them.
  if (!indexes.some((spec) => spec.name === index && spec.use === 'query')) return hash(`${name} *`)
  return equals[0] === undefined ? hash(`${name}.${index} *`) : valueMark(name, index, equals[0])
}

export type Named = Pick<Write, 'collection' | 'id'>

/** All that a commit touches. Of `others` only the names are known; no index holds them. */
export function marksOf(writes: readonly Write[], others: readonly Named[] = []): Set<number> {
  const marks = new Set<number>()
  for (const write of writes) addMarks(marks, write)
  for (const { collection, id } of others) {
    marks.add(hash(`${collection.name} *`)).add(documentMark(collection, id))
    for (const part of Object.keys(collection.parts ?? {})) marks.add(documentMark({ ...collection, part }, id))
  }
  return marks
}

function addMarks(marks: Set<number>, { collection, id, before, after }: Write): void {
  const { name, indexes, parts = {} } = collection
  marks.add(hash(`${name} *`)).add(documentMark(collection, id))
  for (const [part, fields] of Object.entries(parts)) {
    if (!sameFields(fields, before, after)) marks.add(documentMark({ ...collection, part }, id))
  }
  for (const index of indexes) {
    if (index.use !== 'query' || sameEntries(index, before, after)) continue
    marks.add(hash(`${name}.${index.name} *`))
    for (const doc of [before, after]) {
      for (const [first] of entriesOf(index, doc)) if (first !== undefined) marks.add(valueMark(name, index.name, first))
    }
  }
}

const valueMark = (collection: string, index: string, value: string | number): number =>
  hash(`${collection}.${index} ${typeof value === 'number' ? '#' : '='}${value}`)

function sameFields(fields: readonly string[], before: Doc | undefined, after: Doc | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  const [a, b] = [before as unknown as Record<string, unknown>, after as unknown as Record<string, unknown>]
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]))
}
