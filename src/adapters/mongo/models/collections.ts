import type { Document, IndexDescription } from 'mongodb'
import { z } from 'zod'
import type { Collection, IndexSpec } from '../../../ports/collection.js'

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

/**
 * The collection's schema as a MongoDB validator. The engine has checked every document against the real schema; this one
 * keeps other programs from writing something else, so it must never be the stricter of the two.
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
