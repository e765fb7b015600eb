import type { z } from 'zod'
import { ServiceError } from '../../contract/errors.js'
import { firstIssue } from './check-own-events.js'

/** An answer is sent, cached and compressed as a whole. */
const MAX_BYTES = 1024 * 1024

/** Only what the published schema shows: a read may return a whole document. */
export function checkedAnswer(name: string, output: z.ZodType, data: unknown): unknown {
  const parsed = output.safeParse(data)
  if (!parsed.success) throw new Error(`the answer of ${name} does not match its output: ${firstIssue(parsed.error)}`)
  const text = mayFit(parsed.data) ? JSON.stringify(parsed.data) : null
  // Parsed again: a getter or toJSON() may answer differently the next time.
  if (text !== null && Buffer.byteLength(text) <= MAX_BYTES) return JSON.parse(text)
  throw new ServiceError('internal_error', `The answer of ${name} is longer than 1 MB.`)
}

/** Counts what JSON has at least and stops at the limit, so that a text far beyond it is never made. */
function mayFit(data: unknown): boolean {
  const open = [data]
  for (let least = 0; open.length > 0; ) {
    const value = open.pop()
    if (typeof value === 'string') least += value.length
    else if (typeof value === 'object' && value !== null) {
      const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
      if (members !== value) for (const key of Object.keys(value)) least += key.length
      // A comma and one more character for each.
      least += 2 * members.length
      if (least <= MAX_BYTES) for (const member of members) open.push(member)
    }
    if (least > MAX_BYTES) return false
  }
  return true
}
