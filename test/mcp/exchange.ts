import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import type { Headers } from '../harness/service.js'

export const RpcAnswer = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.looseObject({}).optional(),
  error: z.strictObject({ code: z.int(), message: z.string().min(1).max(2000), data: z.unknown().optional() }).optional(),
})
export type RpcAnswer = z.infer<typeof RpcAnswer>

/** Exactly a JSON-RPC response: a result or an error, never both. */
export function rpcIn({ body }: LightMyRequestResponse): RpcAnswer {
  const answer = RpcAnswer.parse(JSON.parse(body))
  if ((answer.result === undefined) === (answer.error === undefined)) throw new Error(`neither result nor error, or both: ${body}`)
  return answer
}

/** Sends a body as it is. */
export function send(host: FastifyInstance, path: string, body: unknown, headers: Headers = {}): Promise<LightMyRequestResponse> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return host.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload })
}

/** A request of the newer generation, its headers as its body has them. */
export function modern(method: string, params: Record<string, unknown> = {}, version = '2026-07-28') {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = params.name ?? params.uri
  return {
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } },
    headers: { 'mcp-protocol-version': version, 'mcp-method': method, ...(typeof name === 'string' ? { 'mcp-name': name } : {}) },
  }
}
