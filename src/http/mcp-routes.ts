import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../contract/errors.js'
import { weightedValues } from '../lib/weighted-values.js'
import type { McpEndpoint } from '../mcp/endpoint.js'
import { serverCard, serverInfo } from '../mcp/server-definition.js'
import type { AllowedHosts } from './plugins/allowed-hosts.js'
import { sendWithEtag } from './plugins/etag.js'
import { RefusedBody } from './plugins/request-body.js'
import { JSON_TYPE } from './plugins/response-headers.js'
import { callerOf } from './rate-limit/client-key.js'
import { messageCost } from './rate-limit/costs.js'
import { stateOf } from './request-state.js'

const CARD_TYPE = 'application/mcp-server-card+json; charset=utf-8'

/** The two MCP servers of the service. */
export interface McpServers {
  product: McpEndpoint
  docs: McpEndpoint
  allowedHosts: AllowedHosts
  baseUrl: string
  webUrl: string
}

/** Mounts an MCP server: POST for messages, GET for its description. `url` is its canonical URL, whichever path was used. */
export function serveMcp(app: FastifyInstance, paths: readonly string[], endpoint: McpEndpoint, url: string, allowed: AllowedHosts): void {
  const info = JSON.stringify(serverInfo(endpoint.service, url))
  const card = JSON.stringify(serverCard(endpoint.service, url))
  const config: FastifyContextConfig = { limit: 'mcp' }
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => rejectForeign(request, allowed))
    for (const path of paths) {
      scope.post(
        path,
        { config: { ...config, handlesRefusedBody: true, kind: 'tool', cost: ({ body }) => messageCost(body) } },
        async (request, reply) => {
          const { body } = request
          if (callsLanguageModel(endpoint, body)) stateOf(request.raw).releaseSlot?.()
          const answer = await (body === undefined || body instanceof RefusedBody
            ? endpoint.refuse(body)
            : endpoint.answer(body, { ...headersOf(request), caller: callerOf(request) }))
          reply.status(answer.status).header('Cache-Control', 'no-store')
          return answer.body === null ? reply.send() : reply.type(JSON_TYPE).send(answer.body)
        },
      )
      scope.get(path, { config }, async (request, reply) => {
        if (acceptsOnlyEventStream(request)) return rejectEventStream(reply)
        return sendWithEtag(request, reply.header('Vary', 'Accept'), JSON_TYPE, info)
      })
      scope.get(`${path}/server-card`, { config }, async (request, reply) =>
        sendWithEtag(request, reply.header('Cache-Control', 'public, max-age=3600'), CARD_TYPE, card),
      )
    }
  })
}

/** A call that waits for a language model must not hold a slot of the database. */
function callsLanguageModel({ service }: McpEndpoint, body: unknown): boolean {
  const call = ToolCall.safeParse(body)
  return (
    call.success &&
    service.tools.some(({ definition, callsLanguageModel: waits }) => waits === true && definition.name === call.data.params.name)
  )
}

const ToolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) })

/** A foreign page must not call us through a reader's browser, even if its name resolves to our address. It may read what the server is. */
function rejectForeign({ host, method, headers: { origin } }: FastifyRequest, allowed: AllowedHosts): void {
  if (host && !allowed.includesHost(host)) {
    throw new ServiceError(
      'forbidden',
      'The header Host names another service. Those who run this one: set BASE_URL and WEB_URL to its names.',
    )
  }
  if (method === 'POST' && origin !== undefined && !allowed.includesOrigin(origin)) {
    throw new ServiceError(
      'forbidden',
      'Pages of this origin may not use MCP here. Clients that are no browser send no Origin. Those who run this service: name it in MCP_ORIGINS.',
    )
  }
}

const headersOf = ({ headers }: FastifyRequest) => ({
  version: headers['mcp-protocol-version']?.toString(),
  method: headers['mcp-method']?.toString(),
  name: headers['mcp-name']?.toString(),
})

const acceptsOnlyEventStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  weightedValues(accept.toLowerCase()).every(({ value }) => value === 'text/event-stream')

/** Older protocol versions open a stream for a session; there are no sessions here. */
function rejectEventStream(reply: FastifyReply): never {
  reply.headers({ Allow: 'POST, OPTIONS', Vary: 'Accept' })
  throw new ServiceError('invalid_request', 'There is no stream of events to open here: send messages by POST.', { status: 405 })
}
