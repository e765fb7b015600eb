import type { Lease } from '../../ports/document-store.js'
import type { EngineContext, LiveGeneration } from '../generations/engine-context.js'
import type { Order, Request, RequestStore } from './request-store.js'

export interface RequestContext extends EngineContext {
  requests: RequestStore
  lease: Lease
  /** Makes the leader look at the requests again soon. */
  wake(): void
}

export type RequestOf<K extends Order['kind']> = Request & { order: Extract<Order, { kind: K }> }

/** Carries out one kind of order. `true` when the live generation is another one now, or not as its writer left it. */
export type Execute<K extends Order['kind']> = (context: RequestContext, request: RequestOf<K>, live: LiveGeneration) => Promise<boolean>
