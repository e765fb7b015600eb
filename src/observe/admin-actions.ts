import { z } from 'zod'
import { invalid, schemaError } from '../contract/errors.js'
import type { Projection } from '../engine/definition/projection.js'
import type { EngineLogger } from '../engine/fold/telemetry.js'
import { type Order, type Request, RequestStore } from '../engine/requests/request-store.js'
import { plural } from '../lib/message-text.js'
import type { DocumentStore } from '../ports/document-store.js'
import { type AuditEntry, recordAudit } from './audit-log.js'

const projection = z.string()
const Action = z.discriminatedUnion('action', [
  z.object({ action: z.literal('rebuild'), projection, maxRate: z.int().positive().nullable().default(null) }),
  z.object({ action: z.enum(['rollback', 'abort', 'prune']), projection }),
  z.object({ action: z.literal('replay'), projection, aggregate: z.string().min(1).max(500).nullable().default(null) }),
  z.object({ action: z.literal('discard'), projection, position: z.int().positive(), reason: z.string().trim().min(1).max(500) }),
])
type Action = z.infer<typeof Action>

type Actor = Pick<AuditEntry, 'who' | 'address' | 'requestId'>

export interface ActionContext {
  store: DocumentStore
  projections: readonly Projection[]
  logger: EngineLogger
}

/** An action of the admin host: a request to the leader of a projection, recorded in the audit log. */
export async function performAction({ store, projections, logger }: ActionContext, input: unknown, actor: Actor): Promise<Request> {
  const parsed = Action.safeParse(input)
  if (!parsed.success) throw schemaError('validation_failed', parsed.error.issues)
  const action = parsed.data
  const known = projections.find(({ name }) => name === action.projection)
  if (known === undefined) throw invalid('projection', `is none of ${projections.map(({ name }) => name).join(', ')}`)
  const entry: AuditEntry = { ...actor, at: Date.now(), projection: known.name, what: describeAction(action) }
  await recordAudit(store, entry)
  const request = await new RequestStore(store).submit(known.name, known.version, orderOf(action))
  logger.info({ audit: entry, request: request.id }, 'an action was asked for')
  return request
}

function orderOf(action: Action): Order {
  switch (action.action) {
    case 'rebuild':
      return { kind: 'rebuild', maxRate: action.maxRate }
    case 'replay':
      return { kind: 'replay', aggregate: action.aggregate, limit: null }
    case 'discard':
      return { kind: 'discard', position: action.position, reason: action.reason }
    default:
      return { kind: action.action }
  }
}

function describeAction(action: Action): string {
  switch (action.action) {
    case 'rebuild':
      return action.maxRate === null ? 'rebuild' : `rebuild, at most ${plural(action.maxRate, 'event')} per second`
    case 'replay':
      return action.aggregate === null ? 'replay everything parked' : `replay ${action.aggregate}`
    case 'discard':
      return `discard the event at position ${action.position}: ${action.reason}`
    default:
      return action.action
  }
}
