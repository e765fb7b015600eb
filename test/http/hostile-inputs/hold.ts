import type { Test } from 'tap'
import type { HostileRequest } from './hostile-request.js'
import { type Measured, measure } from './measure.js'

/** No request counted may cost more than so many cached reads of the web host. */
const MAX_RATIO = 50
const MAX_ERROR_BYTES = 4096
/** A page that says what is wrong has a frame, and links to itself in four languages. */
const MAX_ERROR_PAGE_BYTES = 8192

/** Holds every request to its budget: processor time, and the length of the answer if it is an error. */
export async function hold(t: Test, requests: Iterable<HostileRequest>): Promise<void> {
  const measured: Measured[] = []
  const problems: string[] = []
  for await (const { name, answer, ratio } of measure(t, requests)) {
    const { status, body } = answer
    measured.push({ name, answer, ratio })
    const bytes = Buffer.byteLength(body)
    if (ratio > MAX_RATIO) problems.push(`${name}: ${ratio.toFixed(0)} cached reads`)
    if (status >= 500) problems.push(`${name}: ${status} ${body.slice(0, 100)}`)
    if (isError(answer) && bytes > (body.startsWith('<!doctype') ? MAX_ERROR_PAGE_BYTES : MAX_ERROR_BYTES))
      problems.push(`${name}: an error of ${bytes} bytes`)
  }
  for (const { name, ratio } of measured.toSorted((a, b) => b.ratio - a.ratio).slice(0, 10)) t.comment(`${ratio.toFixed(0)} × ${name}`)
  t.strictSame(problems, [], `${measured.length} requests`)
}

/** By its status, as an error of JSON-RPC, or as a tool's. */
function isError({ status, body }: Measured['answer']): boolean {
  if (status >= 400) return true
  if (!body.includes('"jsonrpc":"2.0"')) return false
  const { error, result } = JSON.parse(body)
  return error !== undefined || result?.isError === true
}
