import { z } from 'zod'
import { jsonSchemaOf } from '../../contract/json-schema.js'
import { type Operation, validateOperations } from '../../contract/operation.js'
import { publicReadEndpoints } from '../../discovery/openapi/public-reads.js'
import { SchemaRegistry } from '../../discovery/openapi/schemas.js'
import { errorMessage } from '../../lib/message-text.js'
import { firstIssue, ModelsError, type Read } from './define-models.js'
import type { ExampleDocuments } from './folded-examples.js'
import { exampleOf, publicName, schemaPrefix } from './own-reads.js'

type JsonSchema = z.core.JSONSchema.BaseSchema

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** Of plain words and parameters, so that the path stays below the namespace. */
const PATH = /^(\/([a-z0-9][a-z0-9-]*|\{[A-Za-z]\w*\}))*$/
/** What MCP clients accept as the name of a tool. */
const MAX_TOOL_NAME = 64

/** Of the namespace, and of the whole set. */
interface ModelNames {
  own: readonly string[]
  all: readonly string[]
}

/** What a read must have, of which type, and how it is written. */
const PARTS: readonly [part: keyof Read, types: readonly string[], written: string][] = [
  ['path', ['string'], "path: '/beds/{bedId}'"],
  ['summary', ['string'], "summary: '…'"],
  ['input', ['object'], 'input: z.object({ … })'],
  ['output', ['object'], 'output: z.object({ … })'],
  ['example', ['object', 'function'], 'example: { input: { … }, output: { … } }'],
  ['run', ['function'], 'run: async ({ model }, input) => …'],
]

export function checkOwnRead(namespace: string, model: string, read: Read, models: ModelNames, examples: ExampleDocuments): void {
  const { name, path, input, output } = read
  if (!NAME.test(name)) throw new ModelsError(`"${name}" is no name of a read, such as "get_bed"`)
  const tool = publicName(namespace, name)
  if (tool.length > MAX_TOOL_NAME) throw new ModelsError(`the tool "${tool}" has a name of more than ${MAX_TOOL_NAME} characters`)
  // Types of a package written in JavaScript are not checked.
  for (const [part, types, written] of PARTS)
    if (!types.includes(typeof read[part])) throw new ModelsError(`the read "${name}" has no "${part}", such as ${written}`)
  if (!PATH.test(path)) throw new ModelsError(`the path of "${name}" must be like "/beds/{bedId}", not "${path}"`)
  if (!(output instanceof z.ZodObject)) throw new ModelsError(`the output of "${name}" must be an object`)
  if (read.models?.length === 0) throw new ModelsError(`"${name}" reads no model: leave out "models" for its own`)
  const foreign = (read.models ?? [model]).find((each) => !models.own.includes(each))
  if (foreign !== undefined) {
    const why = models.all.includes(foreign) ? `is not of "${namespace}": fold what you need into a model of yours` : 'does not exist'
    throw new ModelsError(`"${name}" reads the model "${foreign}", which ${why}`)
  }
  checkParameters(read)
  const example = exampleOf(read, examples)
  const given = input.safeParse(example.input)
  if (!given.success) throw new ModelsError(`the example input of "${name}" does not match its schema: ${firstIssue(given.error)}`)
  const shown = output.safeParse(example.output)
  if (!shown.success) throw new ModelsError(`the example output of "${name}" does not match its schema: ${firstIssue(shown.error)}`)
  checkSchemaNames(namespace, read)
}

/** In an address everything is text, which REST turns into these. */
const FROM_TEXT: readonly string[] = ['string', 'integer', 'number', 'boolean']

function checkParameters({ name, input }: Read): void {
  const { properties, $defs = {} } = published(name, input, 'input')
  if (properties === undefined) throw new ModelsError(`the input of "${name}" must have no id: its fields become parameters`)
  for (const [field, schema] of Object.entries(properties))
    if (typeof schema !== 'object' || !isSendable(schema, $defs))
      throw new ModelsError(
        `"${field}" of "${name}" cannot be sent in an address: make it a string, number or boolean, such as z.string().transform(…)`,
      )
}

const isSendable = (schema: JsonSchema, defs: Record<string, JsonSchema>): boolean =>
  (typeof schema.type === 'string' && FROM_TEXT.includes(schema.type)) || takesText(schema, defs)

function takesText({ $ref, type, enum: choices, anyOf, oneOf }: JsonSchema, defs: Record<string, JsonSchema>): boolean {
  const named = defs[$ref?.replace('#/$defs/', '') ?? '']
  if (named !== undefined) return takesText(named, defs)
  if (choices !== undefined) return choices.some((choice) => typeof choice === 'string')
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return alternatives.some((each) => takesText(each, defs))
  return type === undefined || [type].flat().includes('string')
}

/** Reads that are right by themselves can clash: by name, path, operation id or the name of a schema. */
export function checkPublicReads(reads: readonly Operation[]): void {
  try {
    validateOperations(reads)
    publicReadEndpoints(new SchemaRegistry(), { baseUrl: '', webUrl: '' }, reads)
  } catch (error) {
    throw new ModelsError(`the reads cannot be served: ${errorMessage(error)}`, { cause: error })
  }
}

/** A schema with an id is listed under it in the OpenAPI document, beside ours. */
function checkSchemaNames(namespace: string, { name, input, output }: Read): void {
  const prefix = schemaPrefix(namespace)
  const ids = { ...published(name, input, 'input').$defs, ...published(name, output, 'output').$defs }
  for (const id of Object.keys(ids))
    if (!id.startsWith(prefix)) throw new ModelsError(`the schema "${id}" of "${name}" must be called "${prefix}…"`)
}

function published(name: string, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  try {
    return jsonSchemaOf(schema, io)
  } catch (error) {
    throw new ModelsError(`the ${io} of "${name}" has no form in JSON Schema: ${errorMessage(error)}`)
  }
}
