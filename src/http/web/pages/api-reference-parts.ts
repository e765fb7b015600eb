import type { JsonSchema } from '../../../discovery/openapi/types.js'
import { type Html, html } from '../../html.js'

export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Text whose `words in backquotes` are code. */
export const codeText = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** A schema in a few words: `integer 1…48 = 24`, `one of a, b`, or a link to its name. */
export function typeName(schema: JsonSchema): Html {
  const { $ref, type, enum: choices, const: only, minimum, maximum, maxLength, items, format, anyOf } = schema
  if (typeof $ref === 'string') return schemaLink($ref)
  if (Array.isArray(choices))
    return html`${choices.map((choice, index) => html`${index > 0 && ', '}<code>${String(choice)}</code>`)}${defaultValue(schema)}`
  if (only !== undefined) return html`<code>${String(only)}</code>`
  if (Array.isArray(anyOf)) return html`${anyOf.map((one, index) => html`${index > 0 && ' | '}${typeName(one as JsonSchema)}`)}`
  if (type === 'array' && typeof items === 'object' && items !== null) return html`${typeName(items as JsonSchema)}[]`
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}…${maximum ?? ''}`
  const length = maxLength === undefined ? '' : ` ≤ ${maxLength}`
  return html`${[type ?? 'object'].flat().map(String).join(' | ')}${range}${length}${format !== undefined && ` (${String(format)})`}${defaultValue(schema)}`
}

const defaultValue = ({ default: value }: JsonSchema) => value !== undefined && html` = <code>${String(value)}</code>`

function schemaLink(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return html`<a href="#schema-${name}"><code>${name}</code></a>`
}
