import { Backoff } from '../../lib/backoff-and-timeout.js'
import { CommitTooLargeError, FencedError, type Lease, UnreadableDocumentError } from '../../ports/document-store.js'
import { type ForeignLogError, isForeignLog } from '../fold/log-identity.js'
import type { EngineContext, LiveGeneration } from '../generations/build-generation.js'
import { executeDiscard, executeRepair, executeReplay, isDiscarded } from './orders.js'
import { type Order, type Request, type RequestContext, type RequestOf, RequestStore } from './request-store.js'
import { type ActiveRollout, executeAbort, executeRollout, isRollout, Rollout } from './rollout.js'

/** Carries out one kind of order. `true` when the live generation is another one now, or not as its writer left it. */
type Execute<K extends Order['kind']> = (
  context: RequestContext,
  request: RequestOf<K>,
  live: LiveGeneration,
  active: ActiveRollout,
) => Promise<boolean>

const ORDERS: { [K in Order['kind']]: Execute<K> } = {
  rebuild: executeRollout,
  rollback: executeRollout,
  abort: executeAbort,
  prune: executePrune,
  replay: withRemedy(executeReplay),
  discard: withRemedy(executeDiscard),
  repair: withRemedy(executeRepair),
}

/**
 * Carries out what has been requested of one projection. Its leader calls it between two batches. At most one
 * generation is being built at a time; everything else is done at once.
 */
export class RequestExecutor {
  readonly requests: RequestStore
  readonly #context: RequestContext
  readonly #active: ActiveRollout = { rollout: null }
  /** Requests that failed, and when to try each again. */
  readonly #backoffs = new Map<string, Backoff>()

  constructor(context: EngineContext, lease: Lease, wake: () => void) {
    this.requests = new RequestStore(context.store, ({ id, projection, order, state, outcome }) => {
      context.logger[state === 'failed' ? 'warn' : 'info']({ projection, request: id, outcome }, `${order.kind} ${state}`)
    })
    this.#context = { ...context, requests: this.requests, lease, wake }
  }

  /**
   * `true` when the live generation is another one now, or not as its writer left it. While the log is foreign to it, what
   * would read the log is refused, unless it accepts the log. `findForeign` is asked before such a request begins.
   */
  async executeOpen(live: LiveGeneration, findForeign: () => Promise<ForeignLogError | null>): Promise<boolean> {
    const { name, version } = this.#context.projection
    const open = await this.requests.open(name)
    this.#forgetFinishedRollout(open)
    if (open.length === 0) await dropOrphans(this.#context)
    const foreign = open.some(({ order }) => !isPossibleWithForeignLog(order)) ? await findForeign() : null
    for (const request of open) {
      if (foreign !== null && !isPossibleWithForeignLog(request.order)) await this.#refuse(request, foreign)
      else if (request.version === version || request.order.kind === 'abort') {
        if (await this.#tryExecute(request, live)) return true
      } else if (!isRollout(request)) {
        // A rollout of another version is left to a process of that version, which asks for the lead once it is ready.
        const why = `the leader of ${name} runs version ${version} of it, the request is for version ${request.version}`
        await this.requests.finish(request, 'failed', why)
      }
    }
    return false
  }

  /** There is nothing to carry them out on. */
  async refuseOpen(reason: ForeignLogError): Promise<void> {
    for (const request of await this.requests.open(this.#context.projection.name)) await this.#refuse(request, reason)
  }

  async #refuse(request: Request, { message }: Error): Promise<void> {
    if (this.#active.rollout?.id === request.id) {
      // Nothing is dropped under a running build. Its end wakes us.
      if (!this.#active.rollout.requestStop()) return
      this.#active.rollout = null
    }
    if (isRollout(request)) await new Rollout(this.#context, request).fail(request, message)
    else await this.requests.finish(request, 'failed', message)
  }

  /** The generation that is being built. */
  get buildingGeneration(): number | null {
    return this.#active.rollout?.target ?? null
  }

  async isIdle(): Promise<boolean> {
    const { name, version } = this.#context.projection
    return this.#active.rollout === null && (await this.requests.open(name)).every((request) => request.version !== version)
  }

  async close(): Promise<void> {
    await this.#active.rollout?.stop()
    this.#active.rollout = null
  }

  /** A failing request must not stop the live generation, nor later requests, one of which may be the remedy. */
  async #tryExecute(request: Request, live: LiveGeneration): Promise<boolean> {
    if (this.#backoffs.get(request.id)?.isOver === false) return false
    try {
      // The entry under an order's kind takes requests of that kind, which the compiler cannot follow.
      const execute = ORDERS[request.order.kind] as Execute<Order['kind']>
      const changed = await execute(this.#context, request, live, this.#active)
      this.#backoffs.delete(request.id)
      return changed
    } catch (error) {
      // The next leader continues it; and from a foreign log nothing may be projected at all.
      if (error instanceof FencedError || isForeignLog(error)) throw error
      const backoff = this.#backoffs.get(request.id) ?? new Backoff()
      this.#backoffs.set(request.id, backoff)
      backoff.failed()
      const { projection, id, order } = request
      this.#context.logger.warn({ projection, request: id, err: error }, `${order.kind} is tried again`)
      this.#context.wake()
      // Part of it may have been done.
      return true
    }
  }

  /** A store may report a failure after it has finished a request. Its rollout would keep the next one waiting. */
  #forgetFinishedRollout(open: readonly Request[]): void {
    const { rollout } = this.#active
    if (rollout !== null && !open.some(({ id }) => id === rollout.id) && rollout.requestStop()) this.#active.rollout = null
  }
}

const isPossibleWithForeignLog = (order: Order): boolean =>
  order.kind === 'abort' || order.kind === 'prune' || (order.kind === 'rebuild' && order.acceptLog === true)

/** Fails a request, and says what to do first, where trying again would change nothing. */
export function withRemedy<K extends Order['kind']>(execute: Execute<K>): Execute<K> {
  return async (context, request, ...rest) => {
    try {
      return await execute(context, request, ...rest)
    } catch (error) {
      const remedy = remedyFor(error, request)
      if (remedy === null) throw error
      const { order }: Request = request
      const decided = order.kind === 'discard' && (await isDiscarded(context.store, context.projection, order.position))
      await context.requests.finish(request, 'failed', decided ? `it is decided, but nothing was folded: ${remedy}` : remedy)
      return true
    }
  }
}

/** `null` where trying again may help. */
function remedyFor(error: unknown, { projection, order: { kind } }: Request): string | null {
  if (error instanceof UnreadableDocumentError)
    return `${error.message}; "vitrine verify ${projection} --repair" writes it as the log says it is${kind === 'repair' ? '' : `: then ask for the ${kind} again`}`
  if (error instanceof CommitTooLargeError) return `${error.message}; "vitrine rebuild ${projection}" makes the model anew in smaller ones`
  return null
}

/** Drops the generations that are neither live nor being built. */
async function executePrune({ store, projection, requests, lease }: RequestContext, request: RequestOf<'prune'>): Promise<boolean> {
  const inUse = new Set((await requests.open(projection.name)).map(({ generation }) => generation))
  const dropped: string[] = []
  for (const generation of await store.generations(projection.name)) {
    if (generation.state === 'live' || inUse.has(generation.number)) continue
    await store.dropGeneration(generation, lease)
    dropped.push(`g${generation.number}`)
  }
  await requests.finish(request, 'done', dropped.length === 0 ? 'there was nothing to drop' : `dropped ${dropped.join(', ')}`)
  return false
}

/** A leader that stops between creating a generation and recording it leaves one that no request knows. */
async function dropOrphans({ store, projection, logger, lease }: RequestContext): Promise<void> {
  for (const generation of await store.generations(projection.name)) {
    if (generation.state !== 'loading') continue
    await store.dropGeneration(generation, lease)
    logger.warn({ projection: projection.name, generation: generation.number }, 'a half-filled generation was dropped: no request fills it')
  }
}
