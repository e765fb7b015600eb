import type { Generation, Lease } from '../../ports/document-store.js'
import { Discards, hasFoldedDiscarded, listDiscards } from '../dead-letters/discards.js'
import { replayParked } from '../dead-letters/replay-parked.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { ForeignLogError } from '../fold/log-identity.js'
import type { DecodedRecord } from '../fold/log-reader.js'
import type { BuildProgress } from '../generations/build-generation.js'
import { findNewPoison, NewPoisonError } from '../generations/new-poison.js'
import type { EngineContext, LiveGeneration } from './request-executor.js'
import type { PoisonedAggregate, Request, RequestStore } from './request-store.js'

const LATE_DISCARD = 'an event was discarded after this rebuild had folded it: ask for a rebuild again, which leaves it out'

/** After an error of the store. */
const RETRY_MS = 1000
const PAGE = 1000

/**
 * One rebuild or rollback on its way: a generation is chosen and written into the request, brought up beside the live
 * one, and then, between two live batches, takes its place. Whichever leader attends goes on from what the request says.
 */
export class Rollout {
  readonly id: string
  /** The generation that is to go live, once it is chosen. */
  target: number | null = null
  readonly #context: EngineContext
  readonly #requests: RequestStore
  readonly #lease: Lease
  readonly #wake: () => void
  #work: { stop: AbortController; ended: Promise<void>; isOver: boolean; failure: Error | null; isUp: boolean } | null = null
  #progress: BuildProgress | null = null
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(parts: EngineContext, requests: RequestStore, lease: Lease, wake: () => void, { id }: Request) {
    this.id = id
    this.#context = parts
    this.#requests = requests
    this.#lease = lease
    this.#wake = wake
  }

  /** `null` while it is under way. */
  async advance(request: Request, live: LiveGeneration): Promise<'flipped' | 'ended' | null> {
    const prepared = await this.prepare(request, live)
    if (prepared === null || typeof prepared === 'string') return prepared
    return this.#switchOver(prepared.request, prepared.target, live)
  }

  /** The same up to the moment when the generation could take the live one's place. */
  async prepare(request: Request, live: LiveGeneration): Promise<{ request: Request; target: Generation } | 'flipped' | 'ended' | null> {
    if (request.phase === 'ending') return this.fail(request, request.outcome ?? 'aborted')
    const chosen = request.generation === null ? await this.#chooseGeneration(request, live) : request
    if (chosen === null) return 'ended'
    this.target = chosen.generation
    if (chosen.generation === live.generation.number) return this.#finish(chosen, live.position)
    const target = await this.#findGeneration(chosen.generation)
    if (target === undefined) return this.fail(chosen, 'its generation is gone')
    if (this.#work?.stop.signal.aborted) return null
    if (this.#work === null) {
      if (performance.now() >= this.#retryAt) this.#start(chosen, target, live)
    } else if (this.#work.failure !== null) return this.#retryOrFail(chosen, this.#work.failure)
    else if (this.#work.isUp) return { request: chosen, target }
    if (this.#progress !== null) await this.#requests.update(chosen, this.#progress)
    this.#progress = null
    return null
  }

  /** Removes what a rebuild has made; a retired generation stays what it was. The reason is written down first. */
  async fail(request: Request, outcome: string, poison: PoisonedAggregate[] = request.poison): Promise<'ended'> {
    await this.stop()
    const { store, projection } = this.#context
    const ending = await this.#requests.update(request, { phase: 'ending', outcome, poison })
    const target = await this.#findGeneration(ending.generation)
    if (target?.state === 'loading') await store.dropGeneration(target, this.#lease)
    await this.#requests.finish(ending, 'failed', outcome)
    this.#context.logger.warn({ projection: projection.name, generation: ending.generation, outcome }, `${request.order.kind} ended`)
    return 'ended'
  }

  /** Tells the work to end; `true` once it has. Whoever cannot wait for it, as for an index of millions, is woken. */
  requestStop(): boolean {
    this.#work?.stop.abort()
    return this.#work?.isOver ?? true
  }

  async stop(): Promise<void> {
    this.#work?.stop.abort()
    await this.#work?.ended
    this.#work = null
  }

  async #chooseGeneration(request: Request, live: LiveGeneration): Promise<Request | null> {
    const { store, projection } = this.#context
    const generations = await store.generations(projection.name)
    if (request.order.kind === 'rollback') {
      const target = rollbackTarget(generations, live.generation, projection.version)
      if (typeof target !== 'string')
        return this.#requests.update(request, { generation: target.number, phase: 'catching up', startedAt: Date.now() })
      await this.#requests.finish(request, 'failed', target)
      return null
    }
    // First what is ours to make, so that after a crash a generation that nobody knows can be known as ours.
    const newest = generations.at(-1)?.number ?? 0
    const begun = request.startedAt === null ? await this.#requests.update(request, { newerThan: newest, startedAt: Date.now() }) : request
    const made =
      generations.find(({ number, state, version }) => number > begun.newerThan && state === 'loading' && version === projection.version) ??
      (await store.createGeneration(projection.name, projection.version, projection.collections))
    return this.#requests.update(begun, { generation: made.number, phase: 'loading' })
  }

  #start(request: Request, target: Generation, live: LiveGeneration): void {
    const { projection, logger, buildGeneration } = this.#context
    const { order } = request
    const stop = new AbortController()
    const work = { stop, failure: null as Error | null, isOver: false, isUp: false, ended: Promise.resolve() }
    const job = {
      projection: projection.name,
      generation: target,
      epoch: this.#lease.epoch,
      maxRate: order.kind === 'rebuild' ? order.maxRate : null,
      poisonBaseline: order.kind === 'rebuild' ? live.generation : null,
    }
    logger.info({ projection: projection.name, generation: target.number }, `${order.kind} begins`)
    work.ended = buildGeneration(job, stop.signal, (reached) => {
      this.#progress = reached
    })
      .then(() => {
        work.isUp = !stop.signal.aborted
      })
      .catch((error: unknown) => {
        work.failure = error instanceof Error ? error : new Error(String(error))
      })
      .finally(() => {
        work.isOver = true
        this.#wake()
      })
    this.#work = work
  }

  async #retryOrFail(request: Request, failure: Error): Promise<'ended' | null> {
    if (failure instanceof NewPoisonError) return this.fail(request, failure.message, [...failure.poison])
    if (failure instanceof ForeignLogError) return this.fail(request, failure.message)
    // An error of the store or the network is retried for ever.
    this.#context.logger.warn({ projection: request.projection, err: failure }, `${request.order.kind} is tried again`)
    this.#work = null
    this.#retryAt = performance.now() + RETRY_MS
    return null
  }

  /** The live generation stands still meanwhile, so readers never go back in time. */
  async #switchOver(request: Request, target: Generation, live: LiveGeneration): Promise<'flipped' | 'ended'> {
    const { store, projection, logger } = this.#context
    const refusal = await this.#catchUpToLive(target, request, live)
    if (refusal !== null) return this.fail(request, refusal.reason, refusal.poison)
    const flipping = await this.#requests.update(request, {
      phase: 'flipping',
      replaces: live.generation.number,
      position: live.position,
      total: live.position,
    })
    await store.promote(target, this.#lease)
    logger.info({ projection: projection.name, generation: target.number, position: live.position }, 'generation is live')
    return this.#finish(flipping, live.position)
  }

  async #finish(request: Request, position: number): Promise<'flipped'> {
    const { store, projection } = this.#context
    const retired = (await store.generations(projection.name)).filter(({ state }) => state === 'retired')
    // One is kept to go back to. After a rollback the newer one is, because it may be the better one yet.
    if (request.order.kind === 'rebuild')
      for (const generation of retired) if (generation.number !== request.replaces) await store.dropGeneration(generation, this.#lease)
    await this.#requests.finish(request, 'done', `generation ${request.generation} is live at position ${position}`)
    return 'flipped'
  }

  /** Whatever keeps it from going live, or `null`. */
  async #catchUpToLive(
    target: Generation,
    request: Request,
    live: LiveGeneration,
  ): Promise<{ reason: string; poison?: PoisonedAggregate[] } | null> {
    const { store, projection, reader, log, withLongLease } = this.#context
    const discards = await listDiscards(store, projection.name)
    const decisions = new Discards(discards)
    const generation = await store.openGeneration(target, projection.collections)
    try {
      const writer = await GenerationWriter.open(projection, generation, this.#lease.epoch, false)
      const wanted = ({ record }: DecodedRecord) => record.position <= live.position
      const decide = (events: readonly DecodedRecord[]) => decisions.markDiscarded(events)
      for await (const { position } of foldPages(writer, { read: reader.pages(PAGE), wanted, decide })) if (position >= live.position) break
      // What was discarded since it was parked here.
      const overruled = [...(await loadParked(generation)).values()].filter(({ position }) => decisions.has(position))
      const aggregates = overruled.map(({ _id }) => _id)
      if (aggregates.length > 0) await replayParked({ projection, store, log, generation, withLongLease }, this.#lease.epoch, aggregates)
      if (request.order.kind === 'rollback') return null
      if (await hasFoldedDiscarded(generation, log, discards)) return { reason: LATE_DISCARD }
      const poison: PoisonedAggregate[] = []
      await withLongLease(async () => {
        poison.push(...(await findNewPoison({ projection, store, opened: generation, decisions }, live.generation, 'at the end')))
      })
      return poison.length === 0 ? null : { reason: new NewPoisonError(poison).message, poison }
    } finally {
      await generation.close()
    }
  }

  async #findGeneration(number: number | null): Promise<Generation | undefined> {
    const { store, projection } = this.#context
    return (await store.generations(projection.name)).find((candidate) => candidate.number === number)
  }
}

/** The newest retired generation before the live one, or behind it if there is none before; a sentence if it cannot be. */
function rollbackTarget(generations: readonly Generation[], live: Generation, version: number): Generation | string {
  const retired = generations.filter(({ state }) => state === 'retired')
  const target = retired.findLast(({ number }) => number < live.number) ?? retired.at(-1)
  if (target === undefined) return 'there is no earlier generation to go back to'
  if (target.version === version) return target
  return `generation ${target.number} is of version ${target.version}, which this code (version ${version}) cannot catch up: run the command from the release that made it`
}
