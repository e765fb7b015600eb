import type { z } from 'zod'

/** A read-model document: plain JSON under an id. */
export interface Doc {
  _id: string
}

export type IndexValue = string | number

export interface IndexSpec {
  name: string
  /** What tells it from a former index of this name with other fields, where declarations are edited: part of its name in the store. */
  key?: string
  /** A document is in the index only if all of them hold a string or a number. Only `each` may hold a list, and it holds nothing else. */
  fields: readonly string[]
  /** The one of `fields` that holds an array: the document is in the index once per element. */
  each?: string
  /** Order of the entries after the equal part of a query; ties follow `_id` in the same direction. */
  order?: 'asc' | 'desc'
  /** `fold`: the projection looks documents up by it. `query`: only readers do, so it can be built after loading. */
  use: 'fold' | 'query'
  /** The list holds search terms. Stores may use a full-text index. `ids` finds one term, `SearchReads` finds several. */
  fullText?: true
}

/** A field, or one that counts only while another, which holds the words, is not null. */
export type ShownId = string | { id: string; words: string }

export interface Collection<D extends Doc = Doc> {
  name: string
  schema: z.ZodType<D>
  indexes: readonly IndexSpec[]
  /** Many tiny documents (likes, follows): stores may keep them in id order. */
  edges?: boolean
  /** The unit of work does not keep these documents between batches: they are rarely needed twice in a row. */
  uncached?: boolean
  /** Named sets of fields that some readers want alone: a change outside a set does not invalidate them. */
  fieldGroups?: Readonly<Record<string, readonly string[]>>
  /** Fields that hold the ids of creators and creations, one or a list, whose words a document shows. Removing one of them must remove what was read. */
  shows?: readonly ShownId[]
  /** The group that reads through this collection depend on; without it they depend on all fields. */
  fieldGroup?: string
}

export function findIndex(collection: Collection, name: string): IndexSpec {
  const index = collection.indexes.find((candidate) => candidate.name === name)
  if (index === undefined) throw new Error(`collection ${collection.name} declares no index "${name}"`)
  return index
}

/** The index that a query names. One on a list is asked for an element: then it holds a document once. */
export function findQueriedIndex(collection: Collection, query: { index: string; equals: readonly IndexValue[] }): IndexSpec {
  const index = findIndex(collection, query.index)
  const { name, fields, each } = index
  if (each === undefined || fields.indexOf(each) < query.equals.length) return index
  throw new Error(`"${name}" of ${collection.name} is by the elements of "${each}": a query has to give one`)
}

export type IndexEntry = readonly IndexValue[]

/** The index entries of a document, without its id. */
export function indexEntries(index: IndexSpec, doc: Doc | undefined): IndexEntry[] {
  if (doc === undefined) return []
  const fixed: (IndexValue | undefined)[] = []
  let elements: IndexValue[] | undefined
  for (const field of index.fields) {
    const value = valueAt(doc, field)
    if (field === index.each) {
      if (!Array.isArray(value) || value.length === 0) return []
      elements = [...new Set(value.filter(isIndexValue))]
      fixed.push(undefined)
    } else if (isIndexValue(value)) fixed.push(value)
    else return []
  }
  if (elements === undefined) return [fixed as IndexEntry]
  // The fast case for search terms, of which a document has many.
  if (fixed.length === 1) return elements.map((element) => [element])
  const at = fixed.indexOf(undefined)
  return elements.map((element) => fixed.with(at, element) as IndexEntry)
}

/** A quick check for the common case: a like changes two of a dozen fields. */
export function sameIndexEntries(index: IndexSpec, before: Doc | undefined, after: Doc | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return index.fields.every((field) => {
    const a = valueAt(before, field)
    const b = valueAt(after, field)
    if (a === b) return true
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => value === b[i])
  })
}

function isIndexValue(value: unknown): value is IndexValue {
  return typeof value === 'string' || typeof value === 'number'
}

export const valueAt = (doc: Doc, field: string): unknown => (doc as Doc & Record<string, unknown>)[field]

/**
 * The approximate number of characters of a document, close to its stored size. `NaN` when a string holds a lone surrogate,
 * which stores and clients would each replace in their own way.
 */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return value.isWellFormed() ? value.length : Number.NaN
  if (value === null || typeof value !== 'object') return 8
  let size = 0
  if (Array.isArray(value)) for (const member of value) size += approximateSize(member) + 8
  // Without a list of its values: this is called for every document that is written.
  else for (const name in value) size += approximateSize((value as Record<string, unknown>)[name]) + 8
  return size
}

/** The first string that sorts after all strings with a prefix, or `null` if there is none. */
export function prefixUpperBound(prefix: string): string | null {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return null
  // Skip the surrogates, which are no characters.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
