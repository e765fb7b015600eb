import { deepStrictEqual } from 'node:assert'
import type { Test } from 'tap'
import { z } from 'zod'
import { ERROR_NAMES, type ErrorName } from '../../src/contract/errors.js'

/** What came back, through `inject` or over a socket. */
export interface Response {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

const Envelope = z.object({ code: z.literal(0), data: z.unknown() })

/** The payload of a success envelope. Throws unless it is exactly as the schema says, with nothing added. */
export function dataOf<S extends z.ZodType>(schema: S, response: Response): z.output<S> {
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} instead of 200: ${response.body}`)
  const raw: unknown = JSON.parse(response.body)
  const data = schema.parse(Envelope.parse(raw).data)
  deepStrictEqual({ code: 0, data }, raw)
  return data
}

const ErrorEnvelope = z.strictObject({
  code: z.int().positive(),
  message: z.string().min(1).max(1000),
  error: z.enum(ERROR_NAMES),
  retryable: z.boolean(),
  request_id: z.string().min(1),
  details: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
})
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>

export const errorIn = (body: string): ErrorEnvelope => ErrorEnvelope.parse(JSON.parse(body))

/** The sets as the spec lists them. */
const RETRYABLE = [408, 425, 429, 500, 502, 503, 504]

/** The answer is the error envelope with this status and name, complete with the headers every error has. */
export function refused(t: Test, response: Response, status: number, error: ErrorName, what = `${status} ${error}`): ErrorEnvelope {
  const envelope = errorIn(response.body)
  t.match(
    response.headers,
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    `${what}: JSON, not to be kept`,
  )
  t.strictSame(
    { status: response.statusCode, code: envelope.code, error: envelope.error, retryable: envelope.retryable },
    { status, code: status * 100, error, retryable: RETRYABLE.includes(status) },
    what,
  )
  t.equal(response.headers['x-request-id'], envelope.request_id, `${what}: names the request`)
  t.equal(response.headers['service-api-version'], '2026-05-26', `${what}: names the version`)
  return envelope
}

/** A validation error that complains about exactly these parameters. */
export function invalid(t: Test, response: Response, paths: readonly string[], what: string): void {
  const { details = [] } = refused(t, response, 422, 'validation_failed', what)
  t.strictSame(
    details.map(({ path }) => path),
    paths,
    `${what}: says which parameter`,
  )
}
