import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Definition } from './definition.js'
import type { View } from './views.js'

interface Declared {
  keeps: readonly Definition[]
  on: object
  views?: readonly View[]
}

/** Changes with what a declaration says, not with its layout and types. Functions that its functions call are not looked into. */
export function digestOf({ keeps, on, views = [] }: Declared): string {
  const kept = keeps.map(({ kind, registers, ends, joins, derived, options }) => ({ kind, registers, ends, joins, derived, options }))
  return createHash('sha256')
    .update(JSON.stringify([kept, on, views], asText))
    .digest('hex')
    .slice(0, 16)
}

function asText(_key: string, value: unknown): unknown {
  if (value instanceof z.ZodType) return z.toJSONSchema(value, { unrepresentable: 'any' })
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'function') return value
  // States and edges are functions, too. Compilers add semicolons.
  return 'documents' in value ? Object(value.documents).name : String(value).replaceAll(/[\s;]+/g, '')
}
