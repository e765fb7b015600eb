import { MAX_BATCH } from '../contract/caller-limits.js'
import { nameForStatus } from '../contract/error-table.js'
import { type Addresses, addressOf } from './addresses.js'
import { ApiError, UnexpectedAnswerError } from './errors.js'
import type { ArgumentsOf, ResultOf } from './operation-types.js'
import type { PostOptions, ReadOptions } from './options.js'
import { positionHeader } from './reads.js'
import type { Http } from './transport/http.js'
import { isObject } from './transport/json.js'
import { keyHeader } from './transport/post-headers.js'

/** One read of a batch. Arguments may be left out where all of them are optional. */
export type BatchRequest<O, Id extends keyof O> = { operation: Id } & (Record<never, never> extends ArgumentsOf<O, Id>
  ? { arguments?: ArgumentsOf<O, Id> | undefined }
  : { arguments: ArgumentsOf<O, Id> })

/** `Ids`: the operation of each request, by the name of the request. */
export type BatchRequests<O, Ids extends Record<string, keyof O>> = { readonly [Name in keyof Ids]: BatchRequest<O, Ids[Name]> }

/** One that fails fails alone. */
export type BatchResult<T> = { ok: true; data: T } | { ok: false; error: ApiError }

export type BatchResults<O, Ids extends Record<string, keyof O>> = { [Name in keyof Ids]: BatchResult<ResultOf<O, Ids[Name]>> }

export interface BatchOptions extends ReadOptions, PostOptions {}

export interface UntypedRequest {
  operation: string
  arguments?: object | undefined
}

/** Results by the names of the requests. */
export async function batch(
  http: Http,
  url: string,
  table: Addresses,
  requests: Readonly<Record<string, UntypedRequest>>,
  options: BatchOptions,
): Promise<Record<string, BatchResult<unknown>>> {
  const names = Object.keys(requests)
  if (names.length === 0) return {}
  if (names.length > MAX_BATCH) throw new RangeError(`a batch holds at most ${MAX_BATCH} reads, not ${names.length}`)
  const items = Object.entries(requests).map(([id, request]) => ({
    id,
    operation: addressOf(table, request.operation).name,
    arguments: request.arguments ?? {},
  }))
  const headers = { ...positionHeader(options), ...keyHeader(options) }
  const { body } = await http.json({ method: 'POST', url, headers, body: { requests: items } }, options)
  const responses: unknown[] = isObject(body) && Array.isArray(body.responses) ? body.responses : []
  const byName = new Map(responses.filter(isObject).map((response) => [response.id, response]))
  return Object.fromEntries(names.map((name) => [name, resultOf(name, byName.get(name))]))
}

function resultOf(name: string, response: Record<string, unknown> | undefined): BatchResult<unknown> {
  if (response === undefined) throw new UnexpectedAnswerError(`the batch has no answer for "${name}"`, 200)
  const { status, code, data, message } = response
  if (code === 0 && 'data' in response) return { ok: true, data }
  if (typeof status !== 'number' || typeof code !== 'number' || code === 0)
    throw new UnexpectedAnswerError(`the answer for "${name}" is neither a success nor an error`, 200)
  return { ok: false, error: new ApiError({ status, code, error: nameForStatus(status), message: String(message), requestId: null }) }
}
