import type { Document, IndexDescription } from 'mongodb'
import { z } from 'zod'
import {
  type Collection,
  findIndex,
  findQueriedIndex,
  type IndexSpec,
  type IndexValue,
  prefixUpperBound,
} from '../../../ports/collection.js'
import type { IndexQuery, RangeQuery, SearchQuery } from '../../../ports/models.js'

type IndexRange = IndexQuery & Pick<Partial<RangeQuery>, 'after'>

/** A query of one index, in MongoDB's terms. */
export interface QueryPlan {
  hint: string | Document
  filter: Document
  sort: Map<string, 1 | -1>
}

export type SearchPlan = Pick<QueryPlan, 'hint' | 'filter'>

export function planRange(collection: Collection, query: IndexRange): QueryPlan {
  if (query.index === '_id') {
    const columns = [{ path: '_id', type: null }]
    return { hint: { _id: 1 }, filter: conditions([], columns, query, 'asc'), sort: new Map([['_id', 1]]) }
  }
  const index = findQueriedIndex(collection, query)
  const { fields, each, order = 'asc' } = index
  const known = query.equals.map((value, i) => ({ [fields[i] ?? '']: { $eq: value } }))
  const members = each === undefined ? fields.slice(0, known.length).map((field) => ({ [field]: INDEXED_TYPES })) : []
  const open = fields.slice(known.length)
  const direction = order === 'desc' ? -1 : 1
  // MongoDB uses a partial index only for queries that repeat its conditions.
  const numbers = each === undefined ? null : numberFieldsOf(collection)
  const columns = [...open.map((path) => ({ path, type: numbers?.has(path) ? ANY_NUMBER : INDEXED_TYPES })), { path: '_id', type: null }]
  return {
    hint: indexName(index),
    filter: conditions([...known, ...members], columns, query, order),
    sort: new Map([...open, '_id'].map((column) => [column, direction] as const)),
  }
}

/** An element of a list. */
export interface Element {
  list: string
  value: IndexValue
}

/** The element, if all that a query asks for is who holds it, in the order of the index. */
export function elementAsked(collection: Collection, { index: name, equals, startsWith, after }: IndexRange): Element | null {
  const [value, ...others] = equals
  if (name === '_id' || value === undefined || others.length > 0 || (startsWith ?? after) !== undefined) return null
  const { fields, each } = findIndex(collection, name)
  return each !== undefined && fields[0] === each ? { list: each, value } : null
}

/** The documents of such a query, for any of several elements. */
export const holdersOf = ({ filter }: QueryPlan, list: string, values: readonly IndexValue[]): Document => ({
  $and: filter.$and.map((condition: Document) => (condition[list]?.$eq === undefined ? condition : { [list]: { $in: values } })),
})

/** Each term may be any element of the list. */
export function planSearch(collection: Collection, { index: name, terms, prefix }: SearchQuery): SearchPlan {
  const index = findIndex(collection, name)
  const list = index.each ?? ''
  // Nothing is said of types: an index on a list is not partial, and of several conditions the server scans by any one.
  const prefixed = prefix === null ? [] : [{ [list]: { $elemMatch: prefixRange(prefix) } }]
  return { hint: indexName(index), filter: { $and: [...terms.map((word) => ({ [list]: { $eq: word } })), ...prefixed] } }
}

interface Column {
  path: string
  /** What holds for indexed values, where there may be others. */
  type: Document | null
}

/** Unlike a condition on types, this is answered by the index alone. */
const ANY_NUMBER = { $gte: Number.NEGATIVE_INFINITY }

const numberFields = new WeakMap<Collection, ReadonlySet<string>>()

function numberFieldsOf(collection: Collection): ReadonlySet<string> {
  const known = numberFields.get(collection)
  if (known !== undefined) return known
  const { anyOf, oneOf, ...own } = z.toJSONSchema(collection.schema, { unrepresentable: 'any' })
  const fields = (anyOf ?? oneOf ?? [own]).flatMap(({ properties = {} }) => Object.entries(properties))
  const others = new Set(fields.flatMap(([name, schema]) => (NUMBERS.has(String(Object(schema).type)) ? [] : [name])))
  const found = new Set(fields.flatMap(([name]) => (others.has(name) ? [] : [name])))
  numberFields.set(collection, found)
  return found
}

const NUMBERS = new Set(['number', 'integer'])

/** Entries after `after` differ from it first in the first column, or in the second, and so on: one range each. */
function conditions(
  known: readonly Document[],
  columns: readonly Column[],
  { startsWith, after }: IndexRange,
  order: 'asc' | 'desc',
): Document {
  const first = columns[0]?.path ?? '_id'
  const always = startsWith === undefined ? known : [...known, { [first]: prefixRange(startsWith) }]
  const typed = (from: number) => columns.slice(from).flatMap(({ path, type }) => (type === null ? [] : [{ [path]: type }]))
  if (after === undefined) return all([...always, ...typed(0)])
  const ranges = columns.map(({ path }, at) =>
    all([
      ...always,
      ...columns.slice(0, at).map((column, i) => ({ [column.path]: { $eq: after[i] } })),
      { [path]: beyond(after[at] ?? '', order) },
      ...typed(0),
    ]),
  )
  return { $or: ranges }
}

const all = (list: readonly Document[]): Document => (list.length === 0 ? {} : { $and: list })

/** Numbers come before strings; MongoDB's own comparisons stay within one type. */
function beyond(value: IndexValue, order: 'asc' | 'desc'): Document {
  if (order === 'asc') return typeof value === 'number' ? { $not: { $lte: value } } : { $gt: value }
  return typeof value === 'string' ? { $not: { $gte: value } } : { $lt: value }
}

function prefixRange(prefix: string): Document {
  const end = prefixUpperBound(prefix)
  return end === null ? { $gte: prefix } : { $gte: prefix, $lt: end }
}

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
const indexName = ({ fields, order = 'asc' }: IndexSpec): string => `${fields.join(' ')} ${order}`
