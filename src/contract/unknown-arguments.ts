import { clip } from '../lib/message-text.js'
import type { InputSchema } from './operation.js'

/** Unknown arguments are refused: ignoring them would answer another question. `null` if there are none. */
export function unknownArguments(given: Readonly<Record<string, unknown>>, input: InputSchema, taker: 'tool' | 'operation'): string | null {
  const taken = Object.keys(input.shape)
  const unknown = Object.keys(given).filter((name) => !taken.includes(name))
  if (unknown.length === 0) return null
  const offer = taken.length === 0 ? 'takes no arguments' : `takes only ${taken.join(', ')}`
  return `Unknown argument ${unknown.slice(0, 5).map(quoted).join(', ')}: this ${taker} ${offer}`
}

const quoted = (name: string): string => JSON.stringify(clip(name, 40))
