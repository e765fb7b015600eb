import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type ControlRecord, type DocumentStore, FencedError } from '../../ports/document-store.js'
import { ROLLOUT_PHASES } from '../generations/build-generation.js'
import { PoisonedAggregate } from '../generations/new-poison.js'

/** One document as it was found, and as it has to be; `null` where there is none. */
const DocumentRepair = z.object({
  collection: z.string(),
  id: z.string(),
  found: z.record(z.string(), z.unknown()).nullable(),
  /** It was found to be no document at all. */
  unreadable: z.boolean().optional(),
  right: z.record(z.string(), z.unknown()).nullable(),
})
export type DocumentRepair = z.infer<typeof DocumentRepair>

/**
 * Whoever wants a projection changed leaves a request in the store, and its leader carries it out between two batches.
 * A request outlives its leader: what has to be known to go on, such as the generation being built, is written into it
 * before the step that needs it.
 */
const Order = z.discriminatedUnion('kind', [
  /** Fills a new generation beside the live one and shows it to the readers. At most so many events per second. */
  z.object({ kind: z.literal('rebuild'), maxRate: z.number().nullable() }),
  /** Ends the rebuild or rollback under way and removes what it has made. */
  z.object({ kind: z.literal('abort') }),
  /** Catches up the generation that was live before, and shows that to the readers. */
  z.object({ kind: z.literal('rollback') }),
  /** Drops the generations that nobody reads or fills. */
  z.object({ kind: z.literal('prune') }),
  /** Folds the events of parked aggregates again: of one, or of the first `limit`, or of all, once the live generation has come to `from`. */
  z.object({
    kind: z.literal('replay'),
    aggregate: z.string().nullable(),
    limit: z.number().nullable(),
    from: z.number().optional(),
  }),
  /** From now on the event at this position counts as if it had never been. One that was folded well only if that is meant. */
  z.object({ kind: z.literal('discard'), position: z.number(), reason: z.string(), folded: z.boolean().optional() }),
  /** Puts right what differs from the log, unless it has changed since it was looked at, and indexes that differ from the documents. */
  z.object({
    kind: z.literal('repair'),
    documents: z.array(DocumentRepair),
    /** To be made anew from the documents. */
    indexes: z.array(z.object({ collection: z.string(), index: z.string() })).optional(),
  }),
])
export type Order = z.infer<typeof Order>

const RequestValue = z.object({
  projection: z.string(),
  /** The version of the projection that whoever asked has in mind. */
  version: z.number(),
  order: Order,
  state: z.enum(['open', 'done', 'failed']),
  phase: z.enum(ROLLOUT_PHASES),
  /** The generation that is to go live. */
  generation: z.number().nullable(),
  /** Generations up to this number were there before the request began: none of them is its own. */
  newerThan: z.number(),
  /** The generation that readers saw before: kept to go back to. */
  replaces: z.number().nullable(),
  /** How far it has come, and how far it has to go. */
  position: z.number(),
  total: z.number(),
  /** In one sentence, once it has ended. */
  outcome: z.string().nullable(),
  /** The events that stopped a rebuild. */
  poison: z.array(PoisonedAggregate),
  requestedAt: z.number(),
  startedAt: z.number().nullable(),
  updatedAt: z.number(),
})
export type RequestValue = z.infer<typeof RequestValue>

export interface Request extends RequestValue {
  id: string
  revision: number
}

const KIND = 'request'
/** Settled requests of a projection that are kept for people to look at. */
const MAX_FINISHED = 20

export class RequestStore {
  readonly #store: DocumentStore
  readonly #onFinished: (request: Request) => void

  /** `settled` is told what has come of each. */
  constructor(store: DocumentStore, settled: (request: Request) => void = () => {}) {
    this.#store = store
    this.#onFinished = settled
  }

  /** Leaves a request. One for a rebuild joins the rebuild that is already asked for. */
  async submit(projection: string, version: number, order: Order): Promise<Request> {
    if (order.kind === 'rebuild') {
      const asked = (await this.open(projection)).find((open) => open.order.kind === 'rebuild' && open.version === version)
      if (asked !== undefined) return asked
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
    // Ids sort by time: requests are carried out in the order they were made.
    const id = `${String(now).padStart(15, '0')}-${projection}-${randomUUID().slice(0, 8)}`
    const note = await this.#store.putControlRecord({ kind: KIND, id, revision: 0, value })
    if (note === null) throw new Error(`there is a request ${id} already`)
    return toRequest(note)
  }

  /** All there are, the oldest first. */
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

  /** For the leader alone: throws {@link FencedError} when another one has changed it since. */
  async update(request: Request, changes: Partial<RequestValue>): Promise<Request> {
    const { id, revision, ...value } = request
    const note = await this.#store.putControlRecord({ kind: KIND, id, revision, value: { ...value, ...changes, updatedAt: Date.now() } })
    if (note === null) throw new FencedError(`request ${id} is being carried out by somebody else`)
    return toRequest(note)
  }

  async finish(request: Request, state: 'done' | 'failed', outcome: string): Promise<Request> {
    const settled = await this.update(request, { state, outcome, order: withoutDocuments(request.order) })
    this.#onFinished(settled)
    const old = (await this.all(request.projection)).filter((candidate) => candidate.state !== 'open').slice(0, -MAX_FINISHED)
    for (const { id } of old) await this.#store.deleteControlRecord(KIND, id)
    return settled
  }
}

/** Nobody needs them any more, and what is written down here is out of reach of an erasure. */
const withoutDocuments = (order: Order): Order => (order.kind === 'repair' ? { ...order, documents: [] } : order)

const toRequest = ({ id, revision, value }: ControlRecord): Request => ({ ...RequestValue.parse(value), id, revision })
