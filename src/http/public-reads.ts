import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Position } from '../events/index.js'
import { ServiceError } from '../operations/errors.js'
import type { Operations } from '../operations/execute.js'
import { type Operation, routeOf } from '../operations/operation.js'

/** Serves operations of the registry as GET endpoints. */
export function servePublicReads(app: FastifyInstance, list: readonly Operation[], operations: Operations): void {
  for (const operation of list) {
    const fromQuery = queryReader(operation)
    app.get(routeOf(operation.path), {
      config: { deprecated: operation.deprecated },
      handler: async (request, reply) => {
        // Path parameters come last: a query parameter of the same name must not replace them.
        const input = { ...fromQuery(request.query as Record<string, unknown>), ...(request.params as Record<string, string>) }
        const answer = await operations.execute(operation, input, minPosition(request))
        reply.headers({ 'Content-Language': answer.languages.join(', '), 'Service-Position': answer.position })
        return sendJson(request, reply, JSON.stringify({ code: 0, data: answer.data }))
      },
    })
  }
}

/** Sends a body with its tag, or only the tag to those who have the body already. */
function sendJson(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const tag = `"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
  // Caches may keep it but must ask every time: an erased creator must not live on in one of them.
  reply.headers({ ETag: tag, 'Cache-Control': 'public, no-cache' })
  if (hasTag(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === '*' || trimmed.replace(/^W\//, '') === tag
  })
}

/** Query strings are text; numbers and booleans become what the operation's schema calls for, anything else stays text and fails there. */
function queryReader(operation: Operation): (query: Record<string, unknown>) => Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string }>
  }
  return (query) => {
    const input: Record<string, unknown> = {}
    for (const [name, { type }] of Object.entries(properties)) if (query[name] !== undefined) input[name] = coerce(query[name], type)
    return input
  }
}

function coerce(value: unknown, type: string | undefined): unknown {
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === '1')) return true
  if (type === 'boolean' && (value === 'false' || value === '0')) return false
  return value
}

/** How far the models have to have come, if the caller has said so. */
export function minPosition(request: FastifyRequest): Position | undefined {
  const asked = request.headers['service-min-position']
  if (asked === undefined) return undefined
  if (typeof asked !== 'string' || !/^\d{1,15}$/.test(asked)) {
    throw new ServiceError('invalid_request', 'Service-Min-Position must be a position: a whole number.')
  }
  return Number(asked) as Position
}
