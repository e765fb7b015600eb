import { Backoff } from '../../lib/backoff-and-timeout.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import { ForeignLogError } from '../fold/log-identity.js'
import { withGeneration } from '../fold/open-generation.js'
import type { BuildProgress, LiveGeneration } from '../generations/build-generation.js'
import { catchUpToLive, dropRetiredExcept, NewPoisonError, rollbackTarget } from '../generations/switch-over.js'
import type { Request, RequestContext, RequestOf } from './request-store.js'

/** The rebuild or rollback under way. There is one at a time. */
export interface ActiveRollout {
  rollout: Rollout | null
}

const acceptsLog = ({ order }: Request): boolean => order.kind === 'rebuild' && order.acceptLog === true

export const isRollout = ({ order: { kind } }: Request): boolean => kind === 'rebuild' || kind === 'rollback'

/** Advances a rebuild or rollback. A second one waits until the first has ended. */
export async function executeRollout(
  context: RequestContext,
  request: Request,
  live: LiveGeneration,
  active: ActiveRollout,
): Promise<boolean> {
  if (active.rollout !== null && active.rollout.id !== request.id) return false
  active.rollout ??= new Rollout(context, request)
  const result = await active.rollout.advance(request, live)
  if (result === null) return false
  active.rollout = null
  return result === 'switched'
}

/** Ends the rebuilds and rollbacks that were requested earlier. */
export async function executeAbort(
  context: RequestContext,
  request: RequestOf<'abort'>,
  _live: LiveGeneration,
  active: ActiveRollout,
): Promise<boolean> {
  const { requests } = context
  const aborted = (await requests.open(request.projection)).filter((open) => open.id < request.id && isRollout(open))
  // MongoDB would recreate collections dropped under a running build. Live events do not wait for its end: it wakes us.
  if (aborted.some(({ id }) => id === active.rollout?.id) && active.rollout?.requestStop() === false) return false
  for (const each of aborted) {
    if (active.rollout?.id === each.id) {
      await active.rollout.stop()
      active.rollout = null
    }
    await new Rollout(context, each).fail(each, 'aborted')
  }
  const outcome = aborted.length === 0 ? 'there was nothing to abort' : `aborted ${aborted.map(({ order }) => order.kind).join(', ')}`
  await requests.finish(request, 'done', outcome)
  return false
}

interface Build {
  stop: AbortController
  ended: Promise<void>
  /** `ready`: the generation is complete, as far as the log went. An error: it failed. */
  state: 'running' | 'stopped' | 'ready' | Error
}

/**
 * One rebuild or rollback: it chooses a generation and records it in the request, builds it beside the live one, and
 * then switches readers over between two live batches. Every step is recorded in the request first, so that the next
 * leader can continue from there.
 */
export class Rollout {
  readonly id: string
  /** The generation that is to go live, once it is chosen. */
  target: number | null = null
  readonly #context: RequestContext
  #build: Build | null = null
  #progress: BuildProgress | null = null
  readonly #retry = new Backoff({ firstMs: 1000, longestMs: 1000 })

  constructor(context: RequestContext, { id }: Request) {
    this.id = id
    this.#context = context
  }

  /** `null` while it is under way. */
  async advance(request: Request, live: LiveGeneration): Promise<'switched' | 'ended' | null> {
    const prepared = await this.prepare(request, live)
    if (prepared === null || typeof prepared === 'string') return prepared
    return this.#switchOver(prepared.request, prepared.target, live)
  }

  /** Like {@link advance}, but stops when the generation is ready to go live. */
  async prepare(request: Request, live: LiveGeneration): Promise<{ request: Request; target: Generation } | 'switched' | 'ended' | null> {
    if (request.phase === 'ending') return this.fail(request, request.outcome ?? 'aborted')
    const chosen = request.generation === null ? await this.#chooseGeneration(request, live) : request
    if (chosen === null) return 'ended'
    this.target = chosen.generation
    if (chosen.generation === live.generation.number) return this.#finish(chosen, live.position)
    const target = await this.#findGeneration(chosen.generation)
    if (target === undefined) return this.fail(chosen, 'its generation is gone')
    if (this.#build?.stop.signal.aborted) return null
    if (this.#build === null) {
      if (this.#retry.isOver) this.#startBuild(chosen, target, live)
    } else if (this.#build.state instanceof Error) return this.#retryOrFail(chosen, this.#build.state)
    else if (this.#build.state === 'ready') return { request: chosen, target }
    if (this.#progress !== null) await this.#context.requests.update(chosen, this.#progress)
    this.#progress = null
    return null
  }

  /** Drops what a rebuild has built; a retired generation stays. The outcome is recorded first, so that a crash repeats this. */
  async fail(request: Request, cause: Error | string): Promise<'ended'> {
    await this.stop()
    const outcome = typeof cause === 'string' ? cause : cause.message
    const poison = cause instanceof NewPoisonError ? [...cause.poison] : request.poison
    const { store, projection, requests, lease, logger } = this.#context
    const ending = await requests.update(request, { phase: 'ending', outcome, poison })
    const target = await this.#findGeneration(ending.generation)
    if (target?.state === 'loading') await store.dropGeneration(target, lease)
    await requests.finish(ending, 'failed', outcome)
    logger.warn({ projection: projection.name, generation: ending.generation, outcome }, `${request.order.kind} ended`)
    return 'ended'
  }

  /** Tells the build to stop without waiting for it. `true` once it has; otherwise the leader is woken when it does. */
  requestStop(): boolean {
    this.#build?.stop.abort()
    return this.#build?.state !== 'running'
  }

  async stop(): Promise<void> {
    this.#build?.stop.abort()
    await this.#build?.ended
    this.#build = null
  }

  async #chooseGeneration(request: Request, live: LiveGeneration): Promise<Request | null> {
    const { store, projection, requests } = this.#context
    const generations = await store.generations(projection.name)
    if (request.order.kind === 'rollback') {
      const target = rollbackTarget(generations, live.generation, projection.version)
      if (typeof target !== 'string')
        return requests.update(request, { generation: target.number, phase: 'catching up', startedAt: Date.now() })
      await requests.finish(request, 'failed', target)
      return null
    }
    // Recorded before a generation is created: after a crash, a newer one that no request names is ours.
    const newest = generations.at(-1)?.number ?? 0
    const begun = request.startedAt === null ? await requests.update(request, { newerThan: newest, startedAt: Date.now() }) : request
    const created =
      generations.find(({ number, state, version }) => number > begun.newerThan && state === 'loading' && version === projection.version) ??
      (await store.createGeneration(projection.name, projection.version, projection.collections))
    return requests.update(begun, { generation: created.number, phase: 'loading' })
  }

  #startBuild(request: Request, target: Generation, live: LiveGeneration): void {
    const { projection, logger, buildGeneration, lease, wake } = this.#context
    const { order } = request
    const stop = new AbortController()
    const build: Build = { stop, state: 'running', ended: Promise.resolve() }
    const job = {
      projection: projection.name,
      generation: target,
      epoch: lease.epoch,
      maxRate: order.kind === 'rebuild' ? order.maxRate : null,
      replaces: order.kind === 'rebuild' ? live.generation : null,
      acceptLog: acceptsLog(request),
    }
    logger.info({ projection: projection.name, generation: target.number }, `${order.kind} begins`)
    build.ended = buildGeneration(job, stop.signal, (progress) => {
      this.#progress = progress
    })
      .then(() => {
        build.state = stop.signal.aborted ? 'stopped' : 'ready'
      })
      .catch((error: unknown) => {
        build.state = error instanceof Error ? error : new Error(String(error))
      })
      .finally(wake)
    this.#build = build
  }

  async #retryOrFail(request: Request, failure: Error): Promise<'ended' | null> {
    if (failure instanceof NewPoisonError || failure instanceof ForeignLogError) return this.fail(request, failure)
    // Errors of the store or the network are retried for ever.
    this.#context.logger.warn({ projection: request.projection, err: failure }, `${request.order.kind} is tried again`)
    this.#build = null
    this.#retry.failed()
    return null
  }

  async #switchOver(request: Request, target: Generation, live: LiveGeneration): Promise<'switched' | 'ended'> {
    const { requests, lease, store, projection, logger } = this.#context
    const kind = { isRebuild: request.order.kind === 'rebuild', acceptsLog: acceptsLog(request) }
    const refusal = await catchUpToLive(this.#context, lease, target, live, kind)
    if (refusal !== null) return this.fail(request, refusal)
    const { generation } = live
    const { position } = await withGeneration(store, target, [], (opened) => opened.checkpoint())
    const switching = await requests.update(request, { phase: 'flipping', replaces: generation.number, position, total: position })
    if (request.order.kind === 'rebuild') await forgetRollback(store, projection.name)
    else if (generation.version > target.version) await recordRollback(store, projection.name, generation.version)
    await store.promote(target, lease)
    logger.info({ projection: projection.name, generation: target.number, position }, 'generation is live')
    return this.#finish(switching, position)
  }

  async #finish(request: Request, position: number): Promise<'switched'> {
    // After a rollback the newer generation is kept: it may turn out to be the better one.
    if (request.order.kind === 'rebuild') await dropRetiredExcept(this.#context, this.#context.lease, request.replaces)
    await this.#context.requests.finish(request, 'done', `generation ${request.generation} is live at position ${position}`)
    return 'switched'
  }

  async #findGeneration(number: number | null): Promise<Generation | undefined> {
    const { store, projection } = this.#context
    return (await store.generations(projection.name)).find((candidate) => candidate.number === number)
  }
}

/** By projection: the version that was taken back. A stored name. */
const KIND = 'rolled-back'

/** To be called before readers go back, so that no process that starts meanwhile undoes it. */
async function recordRollback(store: DocumentStore, projection: string, fromVersion: number): Promise<void> {
  const record = await recordOf(store, projection)
  await store.putControlRecord({ kind: KIND, id: projection, revision: record?.revision ?? 0, value: { version: fromVersion } })
}

/** An operator wants the newer version again. */
async function forgetRollback(store: DocumentStore, projection: string): Promise<void> {
  if ((await recordOf(store, projection)) !== undefined) await store.deleteControlRecord(KIND, projection)
}

/** Whether this version was taken back: a process must not build it again by itself. */
export async function wasRolledBack(store: DocumentStore, projection: string, version: number): Promise<boolean> {
  // Releases that keep no record leave the newer generation retired.
  if ((await store.generations(projection)).some((generation) => generation.state === 'retired' && generation.version >= version))
    return true
  const value = (await recordOf(store, projection))?.value
  return typeof value === 'object' && value !== null && 'version' in value && Number(value.version) >= version
}

const recordOf = async (store: DocumentStore, projection: string) => (await store.controlRecords(KIND)).find(({ id }) => id === projection)
