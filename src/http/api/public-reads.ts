import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isOwn, type Operation, toRoutePattern } from '../../contract/operation.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import { etagForEncoding } from '../../operations/cache/encoded-bodies.js'
import { waitOf } from '../min-position.js'
import { negotiateEncoding } from '../plugins/content-negotiation.js'
import { matchesEtag, sendWithEtag } from '../plugins/etag.js'
import { JSON_TYPE, VARY } from '../plugins/response-headers.js'
import { readCost } from '../rate-limit/costs.js'
import { stateOf } from '../request-state.js'

/** Serves public reads as GET endpoints. */
export function servePublicReads(app: FastifyInstance, list: readonly Operation[], answers: AnswerCache): void {
  for (const operation of list) {
    const fromText = textParser(operation)
    app.get(toRoutePattern(operation.path), {
      config: {
        deprecated: operation.deprecated,
        operation: operation.name,
        limit: 'public',
        cost: ({ query }) => readCost(query),
        waitsForPosition: true,
        ...(isOwn(operation) && { kind: null }),
      },
      handler: async (request, reply) => {
        // Path parameters come last: a query parameter of the same name must not replace them.
        const input = fromText({ ...(request.query as Record<string, unknown>), ...(request.params as Record<string, string>) })
        // Without the URL it stays out of the fast path, which sends no deprecation headers.
        const url = operation.deprecated === undefined ? request.url : undefined
        const options = { wait: waitOf(request, reply), caller: stateOf(request.raw).caller, url }
        const { bodies, etag, languages, position } = await answers.read(operation, input, options)
        const encoding = bodies.isWorthCompressing ? negotiateEncoding(request.headers['accept-encoding']) : undefined
        reply.headers({ 'Content-Language': languages, 'Service-Position': position, ...VARY })
        const tag = etagForEncoding(etag, encoding)
        if (encoding === undefined || matchesEtag(request.headers['if-none-match'], tag))
          return sendWithEtag(request, reply, JSON_TYPE, bodies.body, tag)
        return sendWithEtag(request, reply.header('Content-Encoding', encoding), JSON_TYPE, await bodies.get(encoding), tag)
      },
    })
  }
}

/** Addresses are text: turn values into the numbers and booleans of the schema. What does not fit stays text and fails validation. */
function textParser(operation: Operation): (given: Record<string, unknown>) => Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: string }>
  }
  return (given) => {
    const input: Record<string, unknown> = {}
    for (const [name, { type }] of Object.entries(properties)) if (given[name] !== undefined) input[name] = coerce(given[name], type)
    return input
  }
}

function coerce(value: unknown, type: string | undefined): unknown {
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'number' && typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === '1')) return true
  if (type === 'boolean' && (value === 'false' || value === '0')) return false
  return value
}
