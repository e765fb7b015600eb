import type { Doc, IndexSpec, IndexValue } from './document-store.js'

export type IndexEntry = readonly IndexValue[]

/** The index entries of a document, without its id. */
export function indexEntries(index: IndexSpec, doc: Doc | undefined): IndexEntry[] {
  if (doc === undefined) return []
  const fixed: (IndexValue | undefined)[] = []
  let elements: IndexValue[] | undefined
  for (const field of index.fields) {
    const value = valueAt(doc, field)
    if (field === index.each) {
      elements = Array.isArray(value) ? [...new Set(value.filter(isIndexValue))] : []
      fixed.push(undefined)
    } else if (isIndexValue(value)) fixed.push(value)
    else return []
  }
  if (elements === undefined) return [fixed as IndexEntry]
  // Words, of which a document has many.
  if (fixed.length === 1) return elements.map((element) => [element])
  const at = fixed.indexOf(undefined)
  return elements.map((element) => fixed.with(at, element) as IndexEntry)
}

/** Quick answer for the common case: a like changes two of a dozen fields. */
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

export function valueAt(doc: Doc, path: string): unknown {
  let value: unknown = doc
  for (const key of splitPath(path)) {
    if (value === null || typeof value !== 'object') return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const splitPaths = new Map<string, string[]>()

export function splitPath(path: string): string[] {
  let keys = splitPaths.get(path)
  if (keys === undefined) {
    keys = path.split('.')
    splitPaths.set(path, keys)
  }
  return keys
}
