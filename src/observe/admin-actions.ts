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
  const { order, what } = orderOf(action)
  const entry: AuditEntry = { ...actor, at: Date.now(), projection: known.name, what }
  await recordAudit(store, entry)
  const request = await new RequestStore(store).submit(known.name, known.version, order)
  logger.info({ audit: entry, request: request.id }, 'an action was asked for')
  return request
}

/** What is requested, and what the audit log says of it. */
function orderOf(action: Action): { order: Order; what: string } {
  switch (action.action) {
    case 'rebuild': {
      const { maxRate } = action
      const what = maxRate === null ? 'rebuild' : `rebuild, at most ${plural(maxRate, 'event')} per second`
      return { order: { kind: 'rebuild', maxRate }, what }
    }
    case 'replay': {
      const { aggregate } = action
      return { order: { kind: 'replay', aggregate, limit: null }, what: `replay ${aggregate ?? 'everything parked'}` }
    }
    case 'discard': {
      const { position, reason } = action
      return { order: { kind: 'discard', position, reason }, what: `discard the event at position ${position}: ${reason}` }
    }
    default:
      return { order: { kind: action.action }, what: action.action }
  }
}
