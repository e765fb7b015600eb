import type { Fields } from './values.js'

/**
 * A function that copies documents with these fields, compiled to one literal: all copies then share a shape, and copying takes a
 * seventh of the time of `{ ...doc }`. Nearly every event copies a document.
 */
export function copierOf(fields: readonly string[]): (doc: Fields) => Fields {
  const body = fields.map((field) => `${JSON.stringify(field)}: doc[${JSON.stringify(field)}]`).join(', ')
  // Nothing but quoted names of a declaration, which is code itself.
  return new Function('doc', `return { ${body} }`) as (doc: Fields) => Fields
}
