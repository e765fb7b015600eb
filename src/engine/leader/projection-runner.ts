import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { FencedError, type Generation } from '../../ports/document-store.js'
import { Decisions } from '../dead-letters/discards.js'
import { DEAD_LETTERS } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { RetiredGenerations } from '../erasure/retired-generations.js'
import { Session } from '../fold/generation-writer.js'
import { isOfAnotherLog, recogniseLog } from '../fold/log-identity.js'
import type { Silence } from '../fold/log-reader.js'
import type { CommittedBatch, Meter, RunnerState } from '../fold/telemetry.js'
import { bringUp } from '../generations/build-generation.js'
import { Desk, type DeskParts } from '../requests/request-executor.js'
import { Requests } from '../requests/request-store.js'
import { type Leadership, lead, stepBack } from './leadership.js'
import type { Shares } from './leadership-transfer.js'
import { challenge } from './version-takeover.js'
import { Waker } from './wake-signal.js'

const LIVE_BATCH = 1000
/** Live batches are begun at least so far apart: until then an event waits for company. */
const LIVE_AGE_MS = 5
const MAX_BACKOFF_MS = 5000
/** How often to see whether a generation of our version has come to be. */
const OUTDATED_LOOK_MS = 1000

/** What to do when the live generation is of another version than this code: build one of ours, or keep serving it as it is. */
export type OnVersionChange = 'rebuild' | 'keep'

export interface RunnerParts extends Omit<DeskParts, 'bringUp' | 'patiently'> {
  /** Where generations are brought up beside the live one: in this thread unless told. */
  bringUp?: DeskParts['bringUp']
  holder: string
  onVersionChange: OnVersionChange
  meter: Meter
  /** Of all projections of this process; `null` when it neither asks for any nor gives any away. */
  shares: Shares | null
}

/** Keeps one projection's documents up to date, for as long as it leads, and carries out what is requested of it. */
export class ProjectionRunner {
  readonly projection: Projection
  readonly #parts: RunnerParts
  state: RunnerState = 'standby'
  lastError: Error | null = null
  /** A rebuild for a new version is asked for once: if it fails, somebody has to look first. */
  #asked = false
  #handedOver = false

  constructor(parts: RunnerParts) {
    this.projection = { ...parts.projection, collections: [...parts.projection.collections, ...DEAD_LETTERS] }
    this.#parts = { ...parts, projection: this.projection }
  }

  /** Runs until the signal aborts. Errors of stores and network are retried for ever, with growing pauses. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, holder, shares } = this.#parts
    for (let failures = 0; !signal.aborted; ) {
      let leadership: Leadership | null = null
      this.#turned()
      try {
        const other = await this.#otherVersion()
        if (other === null) leadership = await lead(store, this.projection.name, holder, signal, shares, this.#isFit)
        else if (!(await this.#leavesItToOthers(other))) leadership = await this.#challenge(other, signal)
        if (leadership === null) {
          await delay(OUTDATED_LOOK_MS, undefined, { signal }).catch(() => {})
          continue
        }
        this.#handedOver = false
        const { epoch } = leadership.lease
        this.#parts.logger.info({ projection: this.projection.name, epoch }, 'leading')
        await this.#lead(leadership)
        if (leadership.over.aborted && !signal.aborted && !this.#handedOver)
          this.#parts.logger.warn({ projection: this.projection.name, epoch }, 'the lead was lost to another projector')
        failures = 0
      } catch (error) {
        this.#failed(error)
        failures += 1
        const pause = this.state === 'stopped' ? MAX_BACKOFF_MS : Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures)
        await delay(pause, undefined, { signal }).catch(() => {})
      } finally {
        await leadership?.release().catch(() => {})
      }
      if (this.#handedOver) await stepBack(signal)
    }
  }

  readonly #isFit = async (): Promise<boolean> => {
    this.#turned()
    return (await this.#otherVersion()) === null
  }

  readonly #turned = (): void => this.#parts.meter.turned(this.projection.name, this.state)

  readonly #metered = (batch: CommittedBatch): void => {
    const { meter, logger } = this.#parts
    meter.committed(this.projection.name, batch)
    for (const { eventId, aggregate, position } of batch.parked) {
      const details = { projection: this.projection.name, event: eventId, aggregate, position }
      logger.warn(details, 'an event could not be folded: its aggregate is parked')
    }
  }

  #failed(error: unknown): void {
    this.lastError = error instanceof Error ? error : new Error(String(error))
    if (error instanceof FencedError) this.state = 'standby'
    else this.state = isOfAnotherLog(error) ? 'stopped' : 'retrying'
    const report = isOfAnotherLog(error) ? 'error' : 'warn'
    this.#parts.logger[report]({ projection: this.projection.name, err: error }, `projection ${this.state}`)
  }

  /**
   * Documents of another version cannot be gone on with, but a process of that version may still be there to do it. So
   * the place is left to it, unless a generation of our version is to be built.
   */
  async #leavesItToOthers(live: Generation): Promise<boolean> {
    const { name, version } = this.projection
    const requests = new Requests(this.#parts.store)
    // Only forwards: a process of the old release that is started once more must not take the new one back.
    if (this.#parts.onVersionChange === 'rebuild' && !this.#asked && live.version < version) {
      this.#asked = true
      await requests.place(name, version, { kind: 'rebuild', maxRate: null })
    }
    if ((await requests.open(name)).some((request) => request.version === version)) return false
    if (this.state !== 'outdated') {
      const details = { projection: name, generation: live.number, liveVersion: live.version, version }
      this.#parts.logger.warn(details, `the live generation is of another version and stands still: run "vitrine rebuild ${name}"`)
    }
    this.state = 'outdated'
    return true
  }

  #challenge(live: Generation, signal: AbortSignal): Promise<Leadership | null> {
    this.state = 'loading'
    return challenge({ ...this.#parts, deskParts: this.#deskParts }, live, signal, this.#turned)
  }

  readonly #deskParts = ({ patiently }: Leadership): DeskParts => {
    const inThisThread: DeskParts['bringUp'] = (job, signal, report) => bringUp({ ...this.#parts, around: patiently }, job, signal, report)
    return { ...this.#parts, patiently, bringUp: this.#parts.bringUp ?? inThisThread }
  }

  async #lead(leadership: Leadership): Promise<void> {
    const waker = new Waker(this.#parts.store, leadership.over)
    const desk = new Desk(this.#deskParts(leadership), leadership.lease, () => waker.wake())
    try {
      while (!leadership.over.aborted) {
        const live = await this.#live()
        if (live === null) await this.#loadFirst(leadership, desk)
        else if (live.version === this.projection.version) await this.#follow(live, leadership, desk, waker)
        else if (!(await this.#replace(live, leadership, desk, waker))) return
      }
    } finally {
      waker.close()
      await desk.close()
    }
  }

  /** Projects into the live generation until leading is over, or until the desk has changed it. */
  async #follow(live: Generation, leadership: Leadership, desk: Desk, waker: Waker): Promise<void> {
    const { store, source } = this.#parts
    const { lease, over } = leadership
    const retired = new RetiredGenerations(this.#parts, lease)
    const opened = await store.openGeneration(live, this.projection.collections)
    try {
      await recogniseLog(source, this.projection.name, await opened.checkpoint())
      const session = await Session.open(this.projection, opened, lease.epoch, false, { metered: this.#metered })
      const decisions = await Decisions.of(store, this.projection.name)
      const silence: Silence = { since: performance.now() }
      this.state = 'live'
      this.lastError = null
      while (!over.aborted) {
        this.#turned()
        // A fan-out that was cut short is finished first: until then the documents are of no position.
        const whole = session.checkpoint.slice === null
        if (waker.isDue && whole) {
          await retired.close()
          const busy = desk.busyWith
          if (await desk.attend({ generation: live, position: session.position })) return
          if (desk.busyWith !== busy) retired.forget()
          if (await this.#handsOver(desk)) return leadership.release()
        }
        const { floor } = session.checkpoint
        const behind = retired.isBehind(floor)
        if (behind) await retired.step(floor, desk.busyWith)
        const events = behind
          ? await source.page(session.position, LIVE_BATCH)
          : await source.batch(session.position, LIVE_BATCH, LIVE_AGE_MS, waker.signal, silence)
        if (over.aborted) return
        if (events.length > 0) await session.advance(decisions.applied(events))
        await nextTurn()
      }
    } finally {
      await retired.close()
      await opened.close()
    }
  }

  /** Whether another projector gets this projection, which it does unless a generation is being brought up for it. */
  async #handsOver(desk: Desk): Promise<boolean> {
    const { shares, logger } = this.#parts
    const { name } = this.projection
    if (shares === null || !(await shares.isWanted(name))) return false
    // Whoever asked may be gone by now: a note is good for one answer.
    await shares.answered(name)
    if (desk.busyWith !== null) return false
    logger.info({ projection: name }, 'handing over to a projector that leads fewer')
    this.state = 'standby'
    this.#handedOver = true
    return true
  }

  /** The live generation is of another version. `false` when nobody wants it replaced (any more). */
  async #replace(live: Generation, { over }: Leadership, desk: Desk, waker: Waker): Promise<boolean> {
    const opened = await this.#parts.store.openGeneration(live, [])
    const { position } = await opened.checkpoint().finally(() => opened.close())
    this.state = 'loading'
    while (!over.aborted) {
      this.#turned()
      if (waker.isDue && (await desk.attend({ generation: live, position }))) return true
      if (await desk.isIdle()) return false
      await waker.awaken()
    }
    return false
  }

  /** Readers have nothing yet. Continues what was left unfinished. */
  async #loadFirst(leadership: Leadership, desk: Desk): Promise<void> {
    const { store, logger } = this.#parts
    const { name, version, collections } = this.projection
    const { lease, over } = leadership
    const unfinished = (await store.generations(name)).find((candidate) => candidate.state === 'loading' && candidate.version === version)
    const generation = unfinished ?? (await store.createGeneration(name, version, collections))
    this.state = 'loading'
    logger.info({ projection: name, generation: generation.number }, 'loading a generation')
    const job = { projection: name, generation, epoch: lease.epoch, maxRate: null, strictBeside: null }
    await bringUp({ ...this.#parts, around: leadership.patiently, metered: this.#metered }, job, over, this.#turned)
    if (over.aborted) return
    await store.promote(generation, lease)
    logger.info({ projection: name, generation: generation.number }, 'generation is live')
    for (const request of await desk.requests.open(name)) {
      if (request.order.kind === 'rebuild' && request.generation === null)
        await desk.requests.settle(request, 'done', `generation ${generation.number} is live: there was none before`)
    }
  }

  /** The live generation, if it is of another version than this code. */
  async #otherVersion(): Promise<Generation | null> {
    const live = await this.#live()
    if (live === null) return null
    if (live.version !== this.projection.version) return live
    // Whoever takes it away from here on means it: a rollback is not to be undone.
    this.#asked = true
    return null
  }

  async #live(): Promise<Generation | null> {
    const generations = await this.#parts.store.generations(this.projection.name)
    return generations.find(({ state }) => state === 'live') ?? null
  }
}
