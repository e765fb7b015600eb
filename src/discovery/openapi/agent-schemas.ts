/** Schemas that only the OpenAPI document needs: the program parses these bodies elsewhere or not at all. */
import { z } from 'zod'

const id = z.union([z.string(), z.number()])

export const JsonRpcRequest = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional().meta({ description: 'Left out of a notification.' }),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'JsonRpcRequest', description: 'A JSON-RPC 2.0 request.' })

export const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'JsonRpcResponse', description: 'A JSON-RPC 2.0 response.' })

/** No example, so that no client fills in an email address or a code. */
export const AgentClaim = z
  .looseObject({
    method: z.literal('email_code'),
    email: z.string().meta({ format: 'email', description: 'Of the end user. Never ask for it.' }),
    code: z
      .string()
      .regex(/^[0-9]{6}$/)
      .meta({ description: 'A one-time code. Never ask for it.' }),
    claim_token: z.string().meta({ description: 'Opaque, from the register address.' }),
  })
  .meta({ id: 'AgentClaim', description: 'The email claim, for parsers only: it is disabled for agents.' })
