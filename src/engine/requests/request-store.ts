import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type ControlRecord, type DocumentStore, FencedError, type Lease } from '../../ports/document-store.js'
import { type EngineContext, ROLLOUT_PHASES } from '../generations/build-generation.js'
import { PoisonEvent } from '../generations/switch-over.js'

/** A document as it was found and as it should be; `null` where there is none. */
const DocumentRepair = z.object({
  collection: z.string(),
  id: z.string(),
  found: z.record(z.string(), z.unknown()).nullable(),
  /** What the store has could not be read. */
  unreadable: z.boolean().optional(),
  right: z.record(z.string(), z.unknown()).nullable(),
})
export type DocumentRepair = z.infer<typeof DocumentRepair>

/**
 * An operator stores a request, and the projection's leader carries it out between two batches. A request outlives its
 * leader: what the next one needs, such as the generation being built, is recorded in it before the step that needs it.
 */
const Order = z.discriminatedUnion('kind', [
  /** Fills a new generation and switches readers over to it. `maxRate` is in events per second. `acceptLog`: also from another log. */
  z.object({ kind: z.literal('rebuild'), maxRate: z.number().nullable(), acceptLog: z.boolean().optional() }),
  /** Ends the rebuild or rollback under way and drops what it has built. */
  z.object({ kind: z.literal('abort') }),
  /** Catches up the generation that was live before, and switches readers back to it. */
  z.object({ kind: z.literal('rollback') }),
  /** Drops the generations that are neither live nor being built. */
  z.object({ kind: z.literal('prune') }),
  /** Folds the events of parked aggregates again: of one, of the first `limit`, or of all. Waits until the live position is `from`. */
  z.object({
    kind: z.literal('replay'),
    aggregate: z.string().nullable(),
    limit: z.number().nullable(),
    from: z.number().optional(),
  }),
  /** Leaves out the event at this position from now on; one that could be folded only with `folded`. */
  z.object({ kind: z.literal('discard'), position: z.number(), reason: z.string(), folded: z.boolean().optional() }),
  /** Rewrites documents that differ from the log, unless they have changed since. */
  z.object({
    kind: z.literal('repair'),
    documents: z.array(DocumentRepair),
  }),
])
export type Order = z.infer<typeof Order>

const RequestValue = z.object({
  projection: z.string(),
  /** The projection's version that the request is for. */
  version: z.number(),
  order: Order,
  state: z.enum(['open', 'done', 'failed']),
  phase: z.enum(ROLLOUT_PHASES),
  /** The generation that is to go live. */
  generation: z.number().nullable(),
  /** Generations up to this number existed before the request began. */
  newerThan: z.number(),
  /** The generation that was live before, kept for a rollback. */
  replaces: z.number().nullable(),
  /** Progress: `position` of `total`. */
  position: z.number(),
  total: z.number(),
  /** One sentence, once it has ended. */
  outcome: z.string().nullable(),
  /** The events that stopped a rebuild. */
  poison: z.array(PoisonEvent),
  requestedAt: z.number(),
  startedAt: z.number().nullable(),
  updatedAt: z.number(),
})
export type RequestValue = z.infer<typeof RequestValue>

export interface Request extends RequestValue {
  id: string
  revision: number
}

export interface RequestContext extends EngineContext {
  requests: RequestStore
  lease: Lease
  /** Makes the leader look at the requests again soon. */
  wake(): void
}

export type RequestOf<K extends Order['kind']> = Request & { order: Extract<Order, { kind: K }> }

const KIND = 'request'
/** Finished requests kept per projection, for operators. */
const MAX_FINISHED = 20

export class RequestStore {
  readonly #store: DocumentStore
  readonly #onFinished: (request: Request) => void

  constructor(store: DocumentStore, onFinished: (request: Request) => void = () => {}) {
    this.#store = store
    this.#onFinished = onFinished
  }

  /** Stores a request. A second rebuild joins the one that is already requested, if both or neither accept another log. */
  async submit(projection: string, version: number, order: Order): Promise<Request> {
    if (order.kind === 'rebuild') {
      const earlier = (await this.open(projection)).find(
        (open) => open.order.kind === 'rebuild' && open.version === version && open.order.acceptLog === order.acceptLog,
      )
      if (earlier !== undefined) return earlier
    }
    const now = Date.now()
    const value: RequestValue = {
      projection,
      version,
      order,
      state: 'open',
      phase: 'waiting',
      generation: null,
      newerThan: 0,
      replaces: null,
      position: 0,
      total: 0,
      outcome: null,
      poison: [],
      requestedAt: now,
      startedAt: null,
      updatedAt: now,
    }
    // Ids sort by time, so requests are carried out in the order they were made.
    const id = `${String(now).padStart(15, '0')}-${projection}-${randomUUID().slice(0, 8)}`
    const record = await this.#store.putControlRecord({ kind: KIND, id, revision: 0, value })
    if (record === null) throw new Error(`there is a request ${id} already`)
    return toRequest(record)
  }

  /** The oldest first. */
  async all(projection?: string): Promise<Request[]> {
    const requests = (await this.#store.controlRecords(KIND)).map(toRequest)
    return projection === undefined ? requests : requests.filter((request) => request.projection === projection)
  }

  async open(projection: string): Promise<Request[]> {
    return (await this.all(projection)).filter(({ state }) => state === 'open')
  }

  async find(id: string): Promise<Request | null> {
    return (await this.all()).find((request) => request.id === id) ?? null
  }

  /** Throws {@link FencedError} when another leader has changed it since. */
  async update(request: Request, changes: Partial<RequestValue>): Promise<Request> {
    const { id, revision, ...value } = request
    const record = await this.#store.putControlRecord({ kind: KIND, id, revision, value: { ...value, ...changes, updatedAt: Date.now() } })
    if (record === null) throw new FencedError(`request ${id} is being carried out by another leader`)
    return toRequest(record)
  }

  async finish(request: Request, state: 'done' | 'failed', outcome: string): Promise<Request> {
    const finished = await this.update(request, { state, outcome, order: withoutDocuments(request.order) })
    this.#onFinished(finished)
    const old = (await this.all(request.projection)).filter((candidate) => candidate.state !== 'open').slice(0, -MAX_FINISHED)
    for (const { id } of old) await this.#store.deleteControlRecord(KIND, id)
    return finished
  }
}

/** They are no longer needed, and an erasure does not reach them here. */
const withoutDocuments = (order: Order): Order => (order.kind === 'repair' ? { ...order, documents: [] } : order)

const toRequest = ({ id, revision, value }: ControlRecord): Request => ({ ...RequestValue.parse(value), id, revision })
