import { inspect } from 'node:util'
import { serialize } from 'node:v8'
import type { InputSchema } from '../../contract/operation.js'

/** Of what was sent, because a schema of a custom read may turn it into what JSON cannot tell apart. Defaults may differ each time. */
export function ownInputKey({ shape }: InputSchema, sent: unknown, parsed: Record<string, unknown>): string {
  const given = new Map(Object.entries(sent ?? {}))
  const fields = Object.keys(shape).map((name) => (given.has(name) ? [given.get(name)] : ['default', inspect(parsed[name])]))
  return serialize(fields).toString('latin1')
}
