import type { Position } from '../../events/index.js'
import { Backoff } from '../../lib/backoff.js'
import { plural } from '../../lib/plural.js'
import {
  CommitTooLargeError,
  type DocumentStore,
  FencedError,
  type Generation,
  type Lease,
  type RunStep,
  UnreadableDocumentError,
} from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { findParked } from '../dead-letters/dead-letter-queries.js'
import { listDiscards, recordDiscard } from '../dead-letters/discards.js'
import { replayParked } from '../dead-letters/replay-parked.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { isForeignLog } from '../fold/log-identity.js'
import type { LogReader } from '../fold/log-reader.js'
import type { EngineLogger } from '../fold/telemetry.js'
import type { BuildGeneration } from '../generations/build-generation.js'
import { repairDocuments } from './repair.js'
import { type Order, type Request, RequestStore } from './request-store.js'
import { Rollout } from './rollout.js'

export interface EngineContext {
  /** With the collections of the dead letters. */
  projection: Projection
  store: DocumentStore
  log: EventLog
  reader: LogReader
  logger: EngineLogger
  buildGeneration: BuildGeneration
  /** For work that takes long and leaves this thread no time for anything else. */
  withLongLease: RunStep
}

/** The generation readers see, and how far it has come; 0 when this code cannot project it. */
export interface LiveGeneration {
  generation: Generation
  position: Position
}

/**
 * What has been requested of one projection, carried out by its leader between two batches. At most one generation is
 * being brought up at a time; everything else is done at once.
 */
export class RequestExecutor {
  readonly requests: RequestStore
  readonly #context: EngineContext
  readonly #lease: Lease
  readonly #wake: () => void
  #rollout: Rollout | null = null
  /** Requests that went wrong, and when each may be tried again. */
  readonly #backoffs = new Map<string, Backoff>()

  constructor(parts: EngineContext, lease: Lease, wake: () => void) {
    this.requests = new RequestStore(parts.store, ({ id, projection, order, state, outcome }) => {
      parts.logger[state === 'failed' ? 'warn' : 'info']({ projection, request: id, outcome }, `${order.kind} ${state}`)
    })
    this.#context = parts
    this.#lease = lease
    this.#wake = wake
  }

  /** `true` when the live generation is another one now, or not as it was left. */
  async executeOpen(live: LiveGeneration): Promise<boolean> {
    let changed = false
    const open = await this.requests.open(this.#context.projection.name)
    this.#forgetFinishedRollout(open)
    if (open.length === 0) await this.#dropOrphans()
    for (const request of open) {
      const { version } = this.#context.projection
      const { kind } = request.order
      // Whoever runs that version brings its generation up beside ours, and asks for the lead when it could take over.
      if (request.version !== version && (kind === 'rebuild' || kind === 'rollback')) continue
      if (request.version !== version && kind !== 'abort') {
        const why = `whoever leads ${request.projection} runs version ${version} of it, the request is for version ${request.version}`
        await this.requests.finish(request, 'failed', why)
      } else if (await this.#tryExecute(request, live)) changed = true
      if (changed) return true
    }
    return false
  }

  /** The generation that is being brought up. */
  get buildingGeneration(): number | null {
    return this.#rollout?.target ?? null
  }

  async isIdle(): Promise<boolean> {
    const { name, version } = this.#context.projection
    return this.#rollout === null && (await this.requests.open(name)).every((request) => request.version !== version)
  }

  async close(): Promise<void> {
    await this.#rollout?.stop()
    this.#rollout = null
  }

  /** One that goes wrong must not stop the live generation, nor those behind it, one of which may be the remedy. */
  async #tryExecute(request: Request, live: LiveGeneration): Promise<boolean> {
    const { logger } = this.#context
    if (this.#backoffs.get(request.id)?.isOver === false) return false
    try {
      const changed = await this.#execute(request, live)
      this.#backoffs.delete(request.id)
      return changed
    } catch (error) {
      // Whoever leads now goes on with it; and of another log nothing may be projected either.
      if (error instanceof FencedError || isForeignLog(error)) throw error
      const backoff = this.#backoffs.get(request.id) ?? new Backoff()
      this.#backoffs.set(request.id, backoff)
      backoff.failed()
      logger.warn({ projection: request.projection, request: request.id, err: error }, `${request.order.kind} is tried again`)
      this.#wake()
      // Some of it may have been done.
      return true
    }
  }

  async #execute(request: Request, live: LiveGeneration): Promise<boolean> {
    switch (request.order.kind) {
      case 'rebuild':
      case 'rollback':
        return this.#rollOut(request, live)
      case 'abort':
        await this.#abort(request)
        return false
      case 'prune':
        await this.requests.finish(request, 'done', await this.#prune())
        return false
      case 'replay':
        return this.#failWithRemedy(request, this.#replay(request, live, request.order))
      case 'discard':
        return this.#failWithRemedy(request, this.#discard(request, live, request.order))
      case 'repair':
        return this.#failWithRemedy(request, this.#repair(request, live, request.order))
    }
  }

  /** What would go wrong again however often it is tried is refused. */
  async #failWithRemedy(request: Request, work: Promise<boolean>): Promise<boolean> {
    try {
      return await work
    } catch (error) {
      const remedy = remedyFor(error, request)
      if (remedy === null) throw error
      const decided = await this.#isDiscarded(request.order)
      await this.requests.finish(request, 'failed', decided ? `it is decided, but nothing was folded: ${remedy}` : remedy)
      return true
    }
  }

  async #isDiscarded(order: Order): Promise<boolean> {
    const { store, projection } = this.#context
    return order.kind === 'discard' && (await listDiscards(store, projection.name)).some(({ position }) => position === order.position)
  }

  /** A store may fail with a settled request after all was written. Nobody attends to that flight then, and others would wait for it. */
  #forgetFinishedRollout(open: readonly Request[]): void {
    const rollout = this.#rollout
    if (rollout !== null && !open.some(({ id }) => id === rollout.id) && rollout.requestStop()) this.#rollout = null
  }

  /** One after the other: a second request for a generation waits until the first has ended. */
  async #rollOut(request: Request, live: LiveGeneration): Promise<boolean> {
    if (this.#rollout !== null && this.#rollout.id !== request.id) return false
    this.#rollout ??= new Rollout(this.#context, this.requests, this.#lease, this.#wake, request)
    const landed = await this.#rollout.advance(request, live)
    if (landed === null) return false
    this.#rollout = null
    return landed === 'flipped'
  }

  async #abort(request: Request): Promise<void> {
    const open = await this.requests.open(request.projection)
    const doomed = open.filter(({ id, order }) => id < request.id && (order.kind === 'rebuild' || order.kind === 'rollback'))
    // Removed under its hands, MongoDB would make collections anew for it. Live events do not wait for its end: it wakes us.
    if (doomed.some(({ id }) => id === this.#rollout?.id) && this.#rollout?.requestStop() === false) return
    for (const each of doomed) {
      if (this.#rollout?.id === each.id) await this.close()
      await new Rollout(this.#context, this.requests, this.#lease, this.#wake, each).fail(each, 'aborted')
    }
    const outcome = doomed.length === 0 ? 'there was nothing to abort' : `aborted ${doomed.map(({ order }) => order.kind).join(', ')}`
    await this.requests.finish(request, 'done', outcome)
  }

  /** A leader that dies, or is overtaken, between making a generation and writing that down leaves one that nobody knows. */
  async #dropOrphans(): Promise<void> {
    const { store, projection, logger } = this.#context
    for (const generation of await store.generations(projection.name)) {
      if (generation.state !== 'loading') continue
      await store.dropGeneration(generation, this.#lease)
      logger.warn({ projection: projection.name, generation: generation.number }, 'a half-filled generation was dropped: nobody fills it')
    }
  }

  async #prune(): Promise<string> {
    const { store, projection } = this.#context
    const owned = new Set((await this.requests.open(projection.name)).map(({ generation }) => generation))
    const dropped: string[] = []
    for (const generation of await store.generations(projection.name)) {
      if (generation.state === 'live' || owned.has(generation.number)) continue
      await store.dropGeneration(generation, this.#lease)
      dropped.push(`g${generation.number}`)
    }
    return dropped.length === 0 ? 'there was nothing to drop' : `dropped ${dropped.join(', ')}`
  }

  async #replay(request: Request, live: LiveGeneration, order: Extract<Order, { kind: 'replay' }>): Promise<boolean> {
    // What it is for may be parked only on the way there. One that cannot be folded into never gets there, and is refused below.
    const isOurs = live.generation.version === this.#context.projection.version
    if (isOurs && live.position < (order.from ?? 0)) return false
    const done = await this.#replayParked(live, async (parked) => {
      const all = order.aggregate === null ? parked : parked.filter((aggregate) => aggregate === order.aggregate)
      return all.slice(0, order.limit ?? undefined)
    })
    if (typeof done === 'string') await this.requests.finish(request, 'failed', done)
    else {
      const left = done.parked === 0 ? '' : `; ${done.parked} could not be folded and ${done.parked === 1 ? 'stays' : 'stay'} parked`
      await this.requests.finish(
        request,
        'done',
        `replayed ${plural(done.events, 'event')} of ${plural(done.aggregates, 'aggregate')}${left}`,
      )
    }
    return true
  }

  async #discard(request: Request, live: LiveGeneration, order: Extract<Order, { kind: 'discard' }>): Promise<boolean> {
    const { position, reason, folded = false } = order
    const { store, projection, log } = this.#context
    const [record] = await log.read((position - 1) as Position, 1)
    if (record?.position !== position) {
      await this.requests.finish(request, 'failed', `the log has no event at position ${position}`)
      return false
    }
    const earlier = (await listDiscards(store, projection.name)).some((each) => each.position === position)
    if (!earlier && !folded && !(await this.#wasPoison(record))) {
      const why = `${record.subject} is not parked by the event at position ${position}, and no rebuild has tripped over it`
      await this.requests.finish(request, 'failed', `${why}: nothing was discarded`)
      return false
    }
    await recordDiscard(store, projection.name, position, reason)
    const decided = `discarded ${record.subject} at position ${position}`
    const done = await this.#replayParked(live, async (parked) => parked.filter((aggregate) => aggregate === record.subject))
    // Of another version: what is live stays as it is, and the decision is made all the same.
    if (typeof done === 'string') await this.requests.finish(request, 'done', `${decided}: ${done}; rebuilds will leave it out`)
    else if (done.parked > 0)
      await this.requests.finish(request, 'done', `${decided}: ${record.subject} stays parked because of another event`)
    else if (done.aggregates > 0)
      await this.requests.finish(
        request,
        'done',
        `${decided}: ${plural(done.events - 1, 'event that waited behind it was', 'events that waited behind it were')} folded`,
      )
    else {
      const why = earlier ? 'that was decided before' : 'it was not parked, so only rebuilds will leave it out'
      await this.requests.finish(request, 'done', `${decided}: ${why}`)
    }
    return true
  }

  /** Whether somebody could not fold it: the live generation, where it may also wait behind another, or a rebuild. */
  async #wasPoison({ subject, position }: LogRecord): Promise<boolean> {
    const { store, projection, log, withLongLease } = this.#context
    let waits = false
    await withLongLease(async () => {
      const parked = await findParked(store, log, projection.name, subject)
      waits = parked !== null && [parked, ...parked.behind].some((each) => each.position === position)
    })
    if (waits) return true
    return (await this.requests.all(projection.name)).some(({ poison }) => poison.some((each) => each.position === position))
  }

  async #repair(request: Request, live: LiveGeneration, order: Extract<Order, { kind: 'repair' }>): Promise<boolean> {
    const { store, projection, withLongLease } = this.#context
    if (live.generation.version !== projection.version) {
      await this.requests.finish(
        request,
        'failed',
        `the live generation is of version ${live.generation.version}, not ${projection.version}`,
      )
      return false
    }
    const opened = await store.openGeneration(live.generation, projection.collections)
    try {
      // An index of a large model takes its time, and all of this thread.
      await withLongLease(async () => {
        const { repaired, moved } = await repairDocuments(projection, opened, this.#lease.epoch, order)
        const indexes = order.indexes?.length ?? 0
        const done = [
          (repaired > 0 || indexes === 0) && `rewrote ${plural(repaired, 'document')}`,
          indexes > 0 && `made ${plural(indexes, 'index', 'indexes')} anew`,
          moved > 0 && `${moved} had changed since`,
        ]
        await this.requests.finish(request, 'done', done.filter((part) => part).join('; '))
      })
    } finally {
      await opened.close()
    }
    return true
  }

  /** A sentence instead where it cannot be done. */
  async #replayParked(live: LiveGeneration, choose: (parked: string[]) => Promise<string[]>) {
    const { store, projection, log, withLongLease } = this.#context
    if (live.generation.version !== projection.version)
      return `the live generation is of version ${live.generation.version}, which this code cannot fold into`
    const generation = await store.openGeneration(live.generation, projection.collections)
    try {
      const parked = [...(await loadParked(generation)).values()].sort((a, b) => a.position - b.position).map(({ _id }) => _id)
      return await replayParked({ projection, store, log, generation, withLongLease }, this.#lease.epoch, await choose(parked))
    } finally {
      await generation.close()
    }
  }
}

/** What somebody has to do first, where trying again would change nothing; `null` where it may. */
export function remedyFor(error: unknown, { projection, order: { kind } }: Request): string | null {
  if (error instanceof UnreadableDocumentError)
    return `${error.message}; "vitrine verify ${projection} --repair" writes it as the log says it is${kind === 'repair' ? '' : `: then ask for the ${kind} again`}`
  if (error instanceof CommitTooLargeError) return `${error.message}; "vitrine rebuild ${projection}" makes the model anew in smaller ones`
  return null
}
