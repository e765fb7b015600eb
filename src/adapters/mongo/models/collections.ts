import type { IndexDescription } from 'mongodb'
import type { IndexSpec } from '../../../ports/collection.js'

/** The port's indexes hold strings and numbers only; MongoDB would index null and other types too. */
export const INDEXED_TYPES = { $type: ['string', 'number'] }

/**
 * The index in MongoDB: the fields, then the id for ties, all in one direction. An index on single values is partial and
 * leaves out documents without one. An index on a list is not: its entries can then be counted without the documents.
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

/** Named by its fields: MongoDB allows no two indexes that differ only in name. */
export const indexName = ({ fields, order = 'asc' }: IndexSpec): string => `${fields.join(' ')} ${order}`
