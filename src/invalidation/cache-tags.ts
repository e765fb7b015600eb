/**
 * Reads and commits both leave cache tags. A commit that shares no tag with a read does not change its result. Tags are
 * 32-bit hashes: a collision only costs an unneeded read. Processes of different releases compare them, so the hashed
 * texts must not change.
 */
import { fnv1a } from '../lib/hash.js'
import { indexEntries, sameIndexEntries } from '../ports/collection.js'
import type { Collection, Doc, IndexQuery, Write } from '../ports/document-store.js'

/** Of a document, or of one of its field groups. */
export const documentTag = ({ name, fieldGroup = '' }: Collection, id: string): number => fnv1a(`${name} ${fieldGroup} ${id}`)

/** Of an index: under one value of its first field, or all of it. */
export function indexTag({ name, indexes }: Collection, { index, equals }: IndexQuery): number {
  // Without a query index, a read may find any document.
  if (!indexes.some((spec) => spec.name === index && spec.use === 'query')) return fnv1a(`${name} *`)
  return equals[0] === undefined ? fnv1a(`${name}.${index} *`) : indexValueTag(name, index, equals[0])
}

/** The tags of a commit. */
export function tagsOfCommit(writes: readonly Write[]): Set<number> {
  const tags = new Set<number>()
  for (const write of writes) addTags(tags, write)
  return tags
}

function addTags(tags: Set<number>, { collection, id, before, after }: Write): void {
  const { name, indexes, fieldGroups = {} } = collection
  tags.add(fnv1a(`${name} *`)).add(documentTag(collection, id))
  for (const [fieldGroup, fields] of Object.entries(fieldGroups)) {
    if (!sameFields(fields, before, after)) tags.add(documentTag({ ...collection, fieldGroup }, id))
  }
  for (const index of indexes) {
    if (index.use !== 'query' || sameIndexEntries(index, before, after)) continue
    tags.add(fnv1a(`${name}.${index.name} *`))
    for (const doc of [before, after]) {
      for (const [first] of indexEntries(index, doc)) if (first !== undefined) tags.add(indexValueTag(name, index.name, first))
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
