import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'

const Failure = z.looseObject({ error: z.looseObject({ code: z.int(), message: z.string() }) })
const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1)

/**
 * The SDK answers parameters of a wrong shape with a dump of its validator, mostly as an internal error. It is the caller's error,
 * and can be said in words.
 */
export function describeInvalidParams(body: string): string {
  // Most answers are no errors; reading them again would be work for nothing.
  if (!body.includes('"error":{"code":')) return body
  const failure = Failure.safeParse(JSON.parse(body))
  const issues = failure.success ? issuesIn(failure.data.error.message) : null
  if (!failure.success || issues === null) return body
  const message = `Invalid params: ${issues.map(({ path, message: what }) => `${path.join('.')}: ${what}`).join('; ')}`
  return JSON.stringify({ ...failure.data, error: { code: ProtocolErrorCode.InvalidParams, message } })
}

function issuesIn(message: string): z.infer<typeof Issues> | null {
  const [dump] = /\[\s*\{.*\}\s*\]$/s.exec(message) ?? []
  if (dump === undefined) return null
  try {
    return Issues.safeParse(JSON.parse(dump)).data ?? null
  } catch {
    return null
  }
}
