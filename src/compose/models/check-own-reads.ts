import { z } from 'zod'
import { jsonSchemaOf } from '../../contract/json-schema.js'
import { pathParameters } from '../../contract/operation.js'
import { errorMessage } from '../../lib/message-text.js'
import { firstIssue } from './check-own-events.js'
import { ModelsError, type Read } from './define-models.js'
import { schemaPrefix } from './own-reads.js'

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** Of plain words and parameters, so that the path stays below the namespace. */
const PATH = /^(\/([a-z0-9][a-z0-9-]*|\{[A-Za-z]\w*\}))*$/

/** Of the namespace, and of the whole set. */
interface ModelNames {
  own: ReadonlySet<string>
  all: ReadonlySet<string>
}

export function checkOwnRead(namespace: string, model: string, read: Read, models: ModelNames): void {
  const { name, path, input, output, example } = read
  if (!NAME.test(name)) throw new ModelsError(`"${name}" is no name of a read, such as "get_bed"`)
  if (!PATH.test(path)) throw new ModelsError(`the path of "${name}" must be like "/beds/{bedId}", not "${path}"`)
  if (!(output instanceof z.ZodObject)) throw new ModelsError(`the output of "${name}" must be an object`)
  const unknown = pathParameters(path).find((parameter) => !(parameter in input.shape))
  if (unknown !== undefined) throw new ModelsError(`"${name}" has {${unknown}} in its path but not in its input`)
  const foreign = (read.models ?? [model]).find((each) => !models.own.has(each))
  if (foreign !== undefined) {
    const why = models.all.has(foreign) ? `is not of "${namespace}": fold what you need into a model of yours` : 'does not exist'
    throw new ModelsError(`"${name}" reads the model "${foreign}", which ${why}`)
  }
  const given = input.safeParse(example.input)
  if (!given.success) throw new ModelsError(`the example input of "${name}" does not match its schema: ${firstIssue(given.error)}`)
  const shown = output.safeParse(example.output)
  if (!shown.success) throw new ModelsError(`the example output of "${name}" does not match its schema: ${firstIssue(shown.error)}`)
  checkSchemaNames(namespace, read)
}

/** A schema with an id is listed under it in the OpenAPI document, beside ours. */
function checkSchemaNames(namespace: string, { name, input, output }: Read): void {
  const prefix = schemaPrefix(namespace)
  for (const id of [...schemaIds(name, input, 'input'), ...schemaIds(name, output, 'output')])
    if (!id.startsWith(prefix)) throw new ModelsError(`the schema "${id}" of "${name}" must be called "${prefix}…"`)
}

function schemaIds(name: string, schema: z.ZodType, io: 'input' | 'output'): string[] {
  try {
    return [...Object.keys(jsonSchemaOf(schema, io).$defs ?? {}), schema.meta()?.id ?? []].flat().map(String)
  } catch (error) {
    throw new ModelsError(`the ${io} of "${name}" has no form in JSON Schema: ${errorMessage(error)}`)
  }
}
