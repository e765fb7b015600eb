import type { Document, IndexDescription } from 'mongodb'
import { z } from 'zod'
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

/**
 * The collection's schema in the words that MongoDB understands. The engine has checked every document against the
 * real schema before; this keeps other programs from writing something else, so it must never be the stricter of the two.
 */
export function jsonSchemaValidator({ schema }: Collection): Document {
  return { $jsonSchema: toMongoSchema(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) }
}

type JsonSchema = z.core.JSONSchema.BaseSchema

function toMongoSchema(schema: JsonSchema): Document {
  const alternatives = schema.anyOf ?? schema.oneOf
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return {
    ...(typeof schema.type === 'string' ? { bsonType: BSON_TYPES[schema.type] ?? schema.type } : {}),
    ...(schema.properties === undefined ? {} : { properties: toMongoProperties(schema.properties) }),
    ...(schema.required === undefined || schema.required.length === 0 ? {} : { required: [...schema.required] }),
    ...(isSchema(schema.items) ? { items: toMongoSchema(schema.items) } : {}),
    ...(alternatives === undefined ? {} : { anyOf: alternatives.map((one) => (isSchema(one) ? toMongoSchema(one) : {})) }),
    ...(values === undefined ? {} : { enum: [...values] }),
  }
}

/** A whole number may be stored as any kind of number. */
const BSON_TYPES: Record<string, string> = { integer: 'number', boolean: 'bool' }

const toMongoProperties = (properties: Record<string, unknown>): Document =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, isSchema(schema) ? toMongoSchema(schema) : {}]))

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)
