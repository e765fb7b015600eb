import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type BatchResponse, costOf, MAX_BATCH, readBatch, runBatch } from '../../operations/batch.js'
import { codeOf } from '../../operations/errors.js'
import type { Answer, Operations } from '../../operations/execute.js'
import type { Operation } from '../../operations/operation.js'
import { deprecationHeaders } from '../deprecation.js'
import { logFailure, toServiceError } from '../errors.js'
import { minPosition } from '../public-reads.js'

/** Several reads in one request. */
export function serveBatch(app: FastifyInstance, list: readonly Operation[], operations: Operations, webUrl: string): void {
  const description = describe(list, webUrl)
  app.get('/batch', async (_request, reply) => reply.header('Cache-Control', 'public, max-age=300').send(description))

  app.post('/batch', { config: { idempotent: true, cost: costOf } }, async (request, reply) => {
    const items = readBatch(list, request.body)
    const outcomes = await runBatch(operations, items, minPosition(request))
    const responses = outcomes.map((outcome, i): BatchResponse['responses'][number] => {
      const id = items[i]?.id ?? ''
      if (outcome.status === 'fulfilled') return { id, status: 200, code: 0, data: outcome.value.data }
      const failure = toServiceError(outcome.reason)
      logFailure(failure, outcome.reason, request)
      const { status, message } = failure
      return { id, status, code: codeOf(status), message }
    })
    reply.headers({ 'Cache-Control': 'no-store', ...positionHeader(outcomes) })
    reply.headers(deprecationHeaders(items.flatMap(({ operation: { deprecated } }) => (deprecated === undefined ? [] : [deprecated]))))
    return reply.send({ responses } satisfies BatchResponse)
  })
}

/** Everything up to the lowest of the positions is in all of the answers. */
function positionHeader(outcomes: readonly PromiseSettledResult<Answer>[]): Record<string, number> {
  const positions = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.position] : []))
  return positions.length === 0 ? {} : { 'Service-Position': Math.min(...positions) }
}

const describe = (list: readonly Operation[], webUrl: string) => ({
  endpoint: `${webUrl}/batch`,
  method: 'POST',
  max_requests: MAX_BATCH,
  cost: 'A batch of n counts as n public reads.',
  operations: list.map(({ name, summary, description, input, example, deprecated }) => ({
    name,
    summary,
    description,
    arguments: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    example: { id: '1', operation: name, arguments: example.input },
    ...(deprecated === undefined ? {} : { deprecated: { since: deprecated.since, sunset: deprecated.sunset, link: deprecated.link } }),
  })),
})
