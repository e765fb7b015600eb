import type { z } from 'zod'
import { ServiceError } from '../../contract/errors.js'
import { firstIssue } from './check-own-events.js'

/** An answer is sent, cached and compressed as a whole. */
const MAX_BYTES = 1024 * 1024

/** Only what the published schema shows: a read may return a whole document. */
export function checkedAnswer(name: string, output: z.ZodType, data: unknown): unknown {
  const parsed = output.safeParse(data)
  if (!parsed.success) throw new Error(`the answer of ${name} does not match its output: ${firstIssue(parsed.error)}`)
  // Parsed again: a getter or toJSON() may answer differently the next time.
  return JSON.parse(boundedJson(parsed.data, () => new ServiceError('internal_error', `The answer of ${name} is longer than 1 MB.`)))
}

/** Ends where the limit is reached, so that a text far beyond it is never made. */
function boundedJson(data: unknown, tooLong: () => ServiceError): string {
  let least = 0
  const text = JSON.stringify(data, function (this: unknown, key: string, value: unknown) {
    // A comma and one more character for each.
    if (value !== undefined) least += 2 + (Array.isArray(this) ? 0 : key.length) + (typeof value === 'string' ? value.length : 0)
    if (least > MAX_BYTES) throw tooLong()
    return value
  })
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLong()
  return text
}
