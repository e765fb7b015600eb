import type { Document } from 'mongodb'
import { z } from 'zod'
import type { Collection } from '../../../ports/document-store.js'

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
