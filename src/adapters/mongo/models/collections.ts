import type { IndexDescription } from 'mongodb'
import type { Collection, IndexSpec } from '../../../ports/document-store.js'

/** What an index holds: MongoDB would also take null and whatever else is there. */
export const INDEXED_TYPES = { $type: ['string', 'number'] }

/**
 * An index as MongoDB keeps it: the fields, then the id for ties, all in one direction. Those on one value leave out
 * the documents that have none. An index on a list is not partial: its entries can then be counted without the documents.
 */
export function indexDescription(index: IndexSpec): IndexDescription {
  const { fields, each, order } = index
  const direction = order === 'desc' ? -1 : 1
  return {
    name: indexName(index),
    key: new Map([...fields, '_id'].map((field) => [field, direction])),
    ...(each === undefined ? { partialFilterExpression: Object.fromEntries(fields.map((field) => [field, INDEXED_TYPES])) } : {}),
  }
}

/** By what it holds: MongoDB keeps no two indexes that differ in nothing but their names. */
export const indexName = ({ fields, order = 'asc' }: IndexSpec): string => `${fields.join(' ')} ${order}`

export function findIndex(collection: Collection, name: string): IndexSpec {
  const index = collection.indexes.find((candidate) => candidate.name === name)
  if (index === undefined) throw new Error(`collection ${collection.name} declares no index "${name}"`)
  return index
}
