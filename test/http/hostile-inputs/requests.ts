import { adminBodies, agentBodies, batches, forms } from './bodies.js'
import { addresses, headers } from './heads.js'
import type { HostileRequest } from './hostile-request.js'
import { mcpMessages } from './mcp-messages.js'

/** Every input of every operation, filled with what a careless service would find dear. */
export function* hostileRequests(): Generator<HostileRequest> {
  yield* addresses()
  yield* headers()
  yield* agentBodies()
  yield* batches()
  yield* mcpMessages()
  yield* adminBodies()
  yield* forms()
}
