import { setTimeout as delay } from 'node:timers/promises'
import { type Position, START } from '../../events/index.js'
import { Backoff } from '../../lib/backoff-and-timeout.js'
import { type Checkpoint, FencedError, type Generation, type ProjectionHealth } from '../../ports/document-store.js'
import { Discards } from '../dead-letters/discards.js'
import { withDeadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { RetiredGenerations } from '../erasure/retired-generations.js'
import { foldPages } from '../fold/fold-pages.js'
import { GenerationWriter } from '../fold/generation-writer.js'
import { type ForeignLogError, foreignLog, isForeignLog } from '../fold/log-identity.js'
import type { Page } from '../fold/log-page.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'
import type { CommittedBatch, Meter } from '../fold/telemetry.js'
import { buildGeneration, type EngineContext, type LiveGeneration } from '../generations/build-generation.js'
import { RequestExecutor } from '../requests/request-executor.js'
import { HealthRecord } from './health.js'
import { awaitLeadership, type Leadership, type LeadershipTransfer, waitForSuccessor } from './leadership.js'
import { loadFirst } from './load-first.js'
import { type OnVersionChange, takeOverVersion, VersionChange } from './version-change.js'
import { WakeSignal } from './wake-signal.js'

const LIVE_PAGE = 1000
/** Live batches start at least this far apart, so that events are folded together. */
const LIVE_BATCH = { events: LIVE_PAGE, ageMs: 5 }
const NO_EVENTS: Page = { events: [], isLast: false }
const MAX_BACKOFF_MS = 5000
/** Between tries while requests are carried out: what failed may have been only the network. */
const BROKEN_PAUSE_MS = 1000
const newBackoff = () => new Backoff({ firstMs: 200, longestMs: MAX_BACKOFF_MS })
/** How often to check for a live generation of our version. */
const OUTDATED_POLL_MS = 1000

export interface RunnerContext extends Omit<EngineContext, 'buildGeneration' | 'withLongLease'> {
  /** Builds generations elsewhere; by default in this thread. */
  buildGeneration?: EngineContext['buildGeneration']
  holder: string
  onVersionChange: OnVersionChange
  meter: Meter
  /** Shared by all projections of this process; `null` when leadership is not balanced. */
  transfer: LeadershipTransfer | null
  /** Why the thread before this one ended. */
  crash: string | null
}

/** Keeps one projection's documents up to date while it leads, and carries out requests. */
export class ProjectionRunner {
  readonly projection: Projection
  readonly #context: RunnerContext
  readonly #health: HealthRecord
  #leadership: Leadership | null = null
  #isLogForeign = false
  readonly #versionChange: VersionChange
  #handedOver = false

  constructor(context: RunnerContext) {
    this.projection = withDeadLetters(context.projection)
    this.#context = { ...context, projection: this.projection }
    this.#versionChange = new VersionChange(this.#context)
    this.#health = new HealthRecord(context.reader, context.crash, () => {
      this.#report()
      this.#leadership?.sayHealth()
    })
  }

  get health(): ProjectionHealth {
    return this.#health.current
  }

  /** Runs until the signal aborts. Errors of stores and the network are retried for ever, with growing pauses. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, holder, transfer } = this.#context
    let backoff = newBackoff()
    while (!signal.aborted) {
      let leadership: Leadership | null = null
      this.#progressed()
      try {
        const other = await this.#versionChange.otherLive()
        const candidate = { store, projection: this.projection.name, holder, signal, health: () => this.health }
        if (other === null) leadership = await awaitLeadership(candidate, transfer, this.#isOwnVersion)
        else if (!(await this.#versionChange.leavesLeadTo(other))) {
          this.#health.loading()
          const takeover = { ...this.#context, engineContext: this.#engineContext, health: candidate.health }
          leadership = await takeOverVersion(takeover, other, signal, this.#progressed)
        }
        if (leadership === null) {
          await delay(OUTDATED_POLL_MS, undefined, { signal }).catch(() => {})
          continue
        }
        this.#handedOver = false
        this.#leadership = leadership
        this.#health.inherit(leadership.healthBefore)
        leadership.sayHealth()
        const { epoch } = leadership.lease
        this.#context.logger.info({ projection: this.projection.name, epoch }, 'leading')
        await this.#lead(leadership)
        if (leadership.ended.aborted && !signal.aborted && !this.#handedOver)
          this.#context.logger.warn({ projection: this.projection.name, epoch }, 'the lead was lost to another projector')
        backoff = newBackoff()
      } catch (error) {
        this.#failed(error)
        const pause = backoff.failed()
        await delay(this.health.state === 'stopped' ? MAX_BACKOFF_MS : pause, undefined, { signal }).catch(() => {})
      } finally {
        await leadership?.release().catch(() => {})
        this.#leadership = null
      }
      if (this.#handedOver) await waitForSuccessor(signal)
    }
  }

  readonly #isOwnVersion = async (): Promise<boolean> => {
    this.#progressed()
    return (await this.#versionChange.otherLive()) === null
  }

  readonly #progressed = (): void => {
    this.#health.progressed(null)
    this.#report()
  }

  #report(): void {
    this.#context.meter.report(this.projection.name, { health: this.health, isLeading: this.#leadership !== null })
  }

  readonly #onCommit = (batch: CommittedBatch): void => {
    const { meter, logger } = this.#context
    meter.committed(this.projection.name, batch)
    this.#health.progressed()
    if (batch.slowFold !== null) this.#health.foldedSlowly({ ...batch.slowFold, at: Date.now() })
    this.#report()
    for (const { eventId, aggregate, position } of batch.parked) {
      const details = { projection: this.projection.name, event: eventId, aggregate, position }
      logger.warn(details, 'an event could not be folded')
    }
  }

  readonly #onFanOut = (fanOut: NonNullable<ProjectionHealth['fanOut']>): void => {
    // Of a short one there is nothing to tell.
    this.#health.progressed(fanOut.total > 0 ? fanOut : null)
    this.#report()
  }

  #failed(error: unknown): void {
    if (!(error instanceof FencedError)) this.#health.failed(error)
    // The other projections of this process must compare their checkpoints, too.
    if (isForeignLog(error) && !this.#isLogForeign) this.#context.reader.forget()
    this.#isLogForeign = isForeignLog(error)
    const report = isForeignLog(error) ? 'error' : 'warn'
    this.#context.logger[report]({ projection: this.projection.name, err: error }, `projection ${this.health.state}`)
  }

  readonly #engineContext = ({ withLongLease }: Leadership): EngineContext => {
    const inThisThread: EngineContext['buildGeneration'] = (job, signal, report) =>
      buildGeneration({ ...this.#context, withLongLease }, job, signal, report)
    return { ...this.#context, withLongLease, progressed: this.#progressed, buildGeneration: this.#context.buildGeneration ?? inThisThread }
  }

  async #lead(leadership: Leadership): Promise<void> {
    const wakeSignal = new WakeSignal(this.#context.store, leadership.ended)
    const executor = new RequestExecutor(this.#engineContext(leadership), leadership.lease, () => wakeSignal.wake())
    let isBroken = false
    try {
      while (!leadership.ended.aborted) {
        const { store, reader } = this.#context
        const live = await liveGeneration(store, this.projection.name)
        if (live === null) {
          const hooks = { onBegin: () => this.#health.loading(), onCommit: this.#onCommit, onProgress: this.#progressed }
          await loadFirst(this.#context, leadership, executor, hooks)
          continue
        }
        const { era } = reader
        const checkpoint = await withGeneration(store, live, [], (opened) => opened.checkpoint())
        const foreign = await foreignLog(reader, this.projection.name, checkpoint)
        const standing = { generation: live, position: foreign === null ? await this.#shown(checkpoint) : START }
        const standStill = (isOver: () => Promise<boolean>) => this.#standStill(standing, foreign, leadership, executor, wakeSignal, isOver)
        if (live.version !== this.projection.version) {
          this.#health.loading()
          if (!(await standStill(() => executor.isIdle()))) return
        } else if (foreign !== null || isBroken) {
          if (foreign !== null) this.#failed(foreign)
          isBroken = false
          // Now and then, the log is compared again, and the generation is tried again.
          const until = performance.now() + (foreign === null ? BROKEN_PAUSE_MS : MAX_BACKOFF_MS)
          await standStill(async () => performance.now() > until && (foreign === null || executor.buildingGeneration === null))
          if (await this.#handOverIfRequested(executor)) return leadership.release()
        } else {
          try {
            await this.#projectLive(live, era, leadership, executor, wakeSignal)
          } catch (error) {
            if (error instanceof FencedError || (!isForeignLog(error) && (await executor.isIdle()))) throw error
            // A rebuild may be the remedy: it goes on where the live generation cannot. All projections hear of another log at once.
            this.#failed(error)
            isBroken = true
            // What was just looked at may not have been carried out.
            wakeSignal.wake()
          }
        }
      }
    } finally {
      wakeSignal.close()
      await executor.close()
    }
  }

  /** The position up to which readers may have seen something: of an interrupted fan-out some documents are ahead of the checkpoint. */
  async #shown({ position, slice }: Checkpoint): Promise<Position> {
    if (slice === null) return position
    const [next] = (await this.#context.reader.readPage(position, 1)).events
    return next?.record.position ?? position
  }

  /** Nothing is projected, but requests are carried out: one may be to accept another log. `true` when the live generation has changed. */
  async #standStill(
    live: LiveGeneration,
    foreign: ForeignLogError | null,
    { ended }: Leadership,
    executor: RequestExecutor,
    wakeSignal: WakeSignal,
    isOver: () => Promise<boolean>,
  ): Promise<boolean> {
    while (!ended.aborted) {
      this.#progressed()
      if (wakeSignal.takeDue() && (await executor.executeOpen(live, async () => foreign))) return true
      if (await isOver()) return false
      await wakeSignal.wait()
    }
    return false
  }

  /** Projects into the live generation until the lead ends, a request has changed the generation, or the log is another one. */
  async #projectLive(
    live: Generation,
    era: number,
    leadership: Leadership,
    executor: RequestExecutor,
    wakeSignal: WakeSignal,
  ): Promise<void> {
    this.#isLogForeign = false
    const { store, reader } = this.#context
    const { lease, ended } = leadership
    const retired = new RetiredGenerations(this.#context, lease)
    const opened = await store.openGeneration(live, this.projection.collections)
    const follower = reader.follow()
    let writing: GenerationWriter | null = null
    try {
      const onCommit = (batch: CommittedBatch) => {
        this.#onCommit(batch)
        this.#health.succeeded()
      }
      const writer = await GenerationWriter.open(this.projection, opened, lease.epoch, false, { onCommit, onFanOut: this.#onFanOut })
      writing = writer
      const discards = await Discards.load(store, this.projection.name)
      // Waiting for events, this one may not have heard yet that the log is another one, or away.
      const findForeign = () => foreignLog(reader, this.projection.name, writer.checkpoint)
      const nextBatch = async (after: Position): Promise<Page> => {
        const events = await follower.batch(after, LIVE_BATCH, wakeSignal.signal)
        return { events, isLast: events.length < LIVE_BATCH.events }
      }
      const pages = foldPages(writer, {
        decide: discards.markDiscarded,
        read: async (after) => {
          // One that is not known to be live finds out at once, and what is folded must not wait for more.
          const isDue = this.health.state !== 'live' || after > writer.checkpoint.position
          const page = isDue ? await follower.page(after, LIVE_PAGE) : await nextBatch(after)
          // Once the lease or the log is lost, nothing more is folded.
          return ended.aborted || reader.era !== era ? NO_EVENTS : page
        },
        // After a full page there is probably more: far behind, it commits as much at once as a load does.
        defer: true,
      })
      while (!ended.aborted && reader.era === era) {
        this.#progressed()
        const askedAt = Date.now()
        const isDue = wakeSignal.takeDue()
        // Requests are about what readers see.
        if (isDue) await writer.flush()
        // An interrupted fan-out is finished first: until then the documents belong to no position.
        if (isDue && writer.checkpoint.slice === null) {
          await retired.stop()
          const building = executor.buildingGeneration
          if (await executor.executeOpen({ generation: live, position: writer.position }, findForeign)) return
          if (executor.buildingGeneration !== building) retired.recheckAll()
          if (await this.#handOverIfRequested(executor)) return leadership.release()
        }
        const { value: page } = await pages.next()
        const isUpToDate = reader.answeredAt >= askedAt
        if (ended.aborted) break
        if (page?.atEnd && isUpToDate) this.#health.succeeded()
        retired.catchUp(writer.checkpoint.floor, executor.buildingGeneration)
      }
      await pages.return(undefined)
    } finally {
      follower.leave()
      // One in flight would be seen by whoever looks at the checkpoint next.
      await writing?.awaitCommit().catch(() => {})
      await retired.stop()
      await opened.close()
    }
  }

  /** Gives the projection to another projector that asked for it, unless a generation is being built here. */
  async #handOverIfRequested(executor: RequestExecutor): Promise<boolean> {
    const { transfer, logger } = this.#context
    const { name } = this.projection
    if (transfer === null || !(await transfer.takeRequest(name)) || executor.buildingGeneration !== null) return false
    logger.info({ projection: name }, 'handing over to a projector that leads fewer')
    this.#handedOver = true
    return true
  }
}
