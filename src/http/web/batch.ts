import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { z } from 'zod'
import { MAX_BATCH, SEARCH_CHARACTERS } from '../../contract/caller-limits.js'
import { codeOf, isRetryable, ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import { unknownArguments } from '../../contract/unknown-arguments.js'
import { clip } from '../../lib/message-text.js'
import { type BatchItem, parseBatch } from '../../operations/batch.js'
import type { AnswerCache, CachedReadOptions, EncodedAnswer } from '../../operations/cache/answer-cache.js'
import { waitOf } from '../min-position.js'
import { deprecationHeaders } from '../plugins/deprecation.js'
import { logFailure, toServiceError } from '../plugins/error-response.js'
import { JSON_TYPE } from '../plugins/response-headers.js'
import { batchCost } from '../rate-limit/costs.js'
import { stateOf } from '../request-state.js'

/** Ten of them are still a short answer. */
const MAX_ITEM_MESSAGE = 250

/** Several reads in one request. */
export function serveBatch(app: FastifyInstance, list: readonly Operation[], answers: Pick<AnswerCache, 'read'>, webUrl: string): void {
  const description = describe(list, webUrl)
  const costOf = batchCost(list)
  const cost: FastifyContextConfig['cost'] = ({ body }) => costOf(body)
  app.get('/batch', async (_request, reply) => reply.header('Cache-Control', 'public, max-age=300').send(description))

  app.post(
    '/batch',
    { config: { idempotent: true, limit: 'public', cost, maxCost: MAX_BATCH, kind: 'batch', waitsForPosition: true } },
    async (request, reply) => {
      const items = parseBatch(list, request.body)
      const wait = waitOf(request, reply)
      const outcomes = await settleEach(items, (item) => readItem(answers, item, { wait, caller: stateOf(request.raw).caller }))
      const parts = outcomes.map((outcome, i) => {
        const id = items[i]?.id ?? ''
        if (outcome.status === 'fulfilled') return successPart(id, outcome.value)
        const failure = toServiceError(outcome.reason)
        logFailure(failure, outcome.reason, request)
        const { status, message } = failure
        if (isRetryable(status)) stateOf(request.raw).hasTransientFailure = true
        return Buffer.from(JSON.stringify({ id, status, code: codeOf(status), message: clip(message, MAX_ITEM_MESSAGE) }))
      })
      reply.headers({ 'Cache-Control': 'no-store', ...positionHeader(outcomes) })
      reply.headers(deprecationHeaders(items.flatMap(({ operation: { deprecated } }) => (deprecated === undefined ? [] : [deprecated]))))
      return reply.type(JSON_TYPE).send(joinParts(parts))
    },
  )
}

/** Answers of a store that arrive together are read one after the other, while all other callers wait. */
const AT_ONCE = 2

async function settleEach<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<PromiseSettledResult<Awaited<R>>[]> {
  const outcomes: PromiseSettledResult<Awaited<R>>[] = []
  const left = items.entries()
  const readOn = async () => {
    for (const [i, item] of left) [outcomes[i]] = await Promise.allSettled([read(item)])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return outcomes
}

/** Unknown arguments fail here, because the read itself would ignore them: a URL may have parameters that are not ours. */
async function readItem(answers: Pick<AnswerCache, 'read'>, { operation, input }: BatchItem, options: CachedReadOptions) {
  const unknown = unknownArguments(input, operation.input, 'operation')
  if (unknown !== null) throw new ServiceError('validation_failed', unknown)
  return answers.read(operation, input, options)
}

/** The bytes of the read's own envelope, with id and status in front. */
const successPart = (id: string, { body }: EncodedAnswer): Buffer =>
  Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)},"status":200,`), body.subarray(1)])

/** A `BatchResponse` of parts that are JSON already. */
function joinParts(parts: readonly Buffer[]): Buffer {
  const list = parts.flatMap((part, i) => (i === 0 ? [part] : [COMMA, part]))
  return Buffer.concat([Buffer.from('{"responses":['), ...list, Buffer.from(']}')])
}

const COMMA = Buffer.from(',')

/** The lowest position: all parts reflect everything up to it. */
function positionHeader(outcomes: readonly PromiseSettledResult<EncodedAnswer>[]): Record<string, number> {
  const positions = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.position] : []))
  return positions.length === 0 ? {} : { 'Service-Position': Math.min(...positions) }
}

const describe = (list: readonly Operation[], webUrl: string) => ({
  endpoint: `${webUrl}/batch`,
  method: 'POST',
  max_requests: MAX_BATCH,
  cost: `A batch of n counts as n public reads, a search in it as one for each ${SEARCH_CHARACTERS} characters that it begins.`,
  operations: list.map(({ name, summary, description, input, example, deprecated }) => ({
    name,
    summary,
    description,
    arguments: { ...z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), additionalProperties: false },
    example: { id: '1', operation: name, arguments: example.input },
    ...(deprecated === undefined ? {} : { deprecated: { since: deprecated.since, sunset: deprecated.sunset, link: deprecated.link } }),
  })),
})
