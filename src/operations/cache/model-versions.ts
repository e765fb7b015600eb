import type { Position } from '../../events/index.js'
import { readTrail, type Trail } from '../../invalidation/invalidation-log.js'
import { Touches } from '../../invalidation/recent-changes.js'
import { stampOf } from '../../invalidation/stamp.js'
import { type DocumentStore, ModelUnavailableError, type ModelView, type Snapshot } from '../../ports/document-store.js'

/** One moment of one model. Two with the same stamp hold the same documents. */
export interface Version {
  model: string
  generation: number
  position: Position
  /** Whatever is older than this may show somebody who has been erased. */
  floor: Position
  stamp: string
}

/** Notices can get lost, and a store can fall silent: nothing is believed for longer than this without asking. */
export const BELIEVED_MS = 500
/** What commits have touched is told for a few of them only: whoever looks rarely loses sight, and with it all its answers. */
const FOLLOW_MS = 100

export interface VersionsOptions {
  now?: () => number
  /** Called before anybody here gets to see a removal; settles once nobody elsewhere is shown anything from before it. */
  announce?: () => Promise<void>
}

export function versionOf(model: string, { generation, checkpoint }: Pick<ModelView, 'generation' | 'checkpoint'>): Version {
  const { position, floor } = checkpoint
  return { model, generation: generation.number, position, floor, stamp: stampIn(generation.number, stampOf(checkpoint)) }
}

/** Checkpoints of two generations may be alike. */
const stampIn = (generation: number, stamp: string): string => `${generation} ${stamp}`

/** With what the latest commits have touched, as the store has it. */
interface Looked extends Version {
  trail: string | null
}

/**
 * More events, none of them a removal. Documents that changed without an event (a repair, a replayed dead letter, part of
 * a fan-out, another generation) were changed for a reason that does not wait either.
 */
export const isOrdinaryProgress = (from: Version, to: Version): boolean =>
  to.generation === from.generation && to.position > from.position && to.floor <= from.position

/**
 * What this process knows of how far the models have come. The store tells when something changed; only then is it
 * asked, once for everybody who waits, and never for each request.
 */
export class Versions {
  readonly #store: DocumentStore
  readonly #models: readonly string[]
  readonly #now: () => number
  readonly #announce: (() => Promise<void>) | undefined
  readonly #stop: () => void
  readonly #touches = new Touches()
  #known = new Map<string, Version>()
  #outdated = true
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | null = null
  #change = 0
  #following: NodeJS.Timeout | null = null

  constructor(store: DocumentStore, models: readonly string[], { now = Date.now, announce }: VersionsOptions = {}) {
    this.#store = store
    this.#models = models
    this.#now = now
    this.#announce = announce
    this.#stop = store.onChange(() => {
      this.expire()
      this.#followSoon()
    })
  }

  /** Grows whenever a model is seen to have moved. */
  get change(): number {
    return this.#change
  }

  /**
   * Whether what left these marks when it was read from these versions may be read otherwise now. `until` is the change up
   * to which that has been ruled out already.
   */
  mayHaveTouched(read: readonly Version[], until: number | undefined, marks: Uint32Array): boolean {
    const known = until === undefined ? read.map(({ model, stamp }) => this.#touches.knownSince(model, stamp)) : [until]
    if (!known.every((change) => change !== undefined)) return true
    const models = read.map(({ model }) => model)
    return this.#touches.anyAfter(Math.min(...known), models, marks)
  }

  /** `undefined` while the model is being loaded. */
  of(model: string): Version | undefined {
    return this.#known.get(model)
  }

  isSettled(): boolean {
    return !this.#outdated && this.#asking === null && this.#now() - this.#askedAt < BELIEVED_MS
  }

  /** Settles once everything the store has told so far is known here. Throws when the store cannot be asked. */
  async settle(): Promise<void> {
    while (!this.isSettled()) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null
      })
      await this.#asking
    }
  }

  /** There is news: nobody gets anything older before the store has been asked. */
  expire(): void {
    this.#outdated = true
  }

  /** A reader has seen these. Settles once the reader may tell: news of a removal has to be known to all others first. */
  async saw(versions: readonly Version[]): Promise<void> {
    const news = versions.filter(({ model, stamp }) => this.#known.get(model)?.stamp !== stamp)
    if (news.length === 0) return
    this.expire()
    if (this.#announce !== undefined && news.some((version) => this.#isRemoval(version))) await this.settle()
  }

  close(): void {
    this.#stop()
    if (this.#following !== null) clearTimeout(this.#following)
  }

  /** Even while nobody asks for anything. A store that cannot be asked now is asked by the next who needs it. */
  #followSoon(): void {
    this.#following ??= setTimeout(() => {
      this.#following = null
      this.settle().catch(() => {})
    }, FOLLOW_MS).unref()
  }

  async #ask(): Promise<void> {
    // First: a notice that comes while the store answers may be about something that is not in the answer.
    this.#outdated = false
    const began = this.#now()
    try {
      const found = (await this.#look(this.#models)).filter((version) => version !== null).map((version) => this.#latest(version))
      if (this.#announce !== undefined && found.some((version) => this.#isRemoval(version))) await this.#announce()
      this.#askedAt = began
      if (found.length === this.#known.size && found.every(({ model, stamp }) => this.#known.get(model)?.stamp === stamp)) return
      this.#change += 1
      for (const version of found) this.#follow(version)
      this.#known = new Map(found.map(({ trail: _, ...version }) => [version.model, version]))
    } catch (error) {
      this.#outdated = true
      throw error
    }
  }

  /** Takes note of what was touched on the way from what is known to this. */
  #follow({ model, generation, stamp, trail }: Looked): void {
    const known = this.#known.get(model)?.stamp
    if (known !== stamp)
      this.#touches.moved(model, known, stamp, trail === null ? null : within(generation, readTrail(trail)), this.#change)
  }

  /** Or something else that must not be shown as it was; who knows nothing yet cannot tell. */
  #isRemoval(version: Version): boolean {
    const known = this.#known.get(version.model)
    return known === undefined || (known.stamp !== version.stamp && !isOrdinaryProgress(known, version))
  }

  /** A generation never goes back: a server that says so is a replica that has some catching up to do. */
  #latest(found: Looked): Looked {
    const known = this.#known.get(found.model)
    const isOlder = known !== undefined && known.generation === found.generation && known.position > found.position
    return isOlder ? { ...known, trail: null } : found
  }

  /** All at one moment if they are all there; otherwise those that are. */
  async #look(models: readonly string[]): Promise<(Looked | null)[]> {
    let snapshot: Snapshot
    try {
      snapshot = await this.#store.snapshot(models, { trails: true })
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
      if (models.length === 1) return [null]
      return (await Promise.all(models.map((model) => this.#look([model])))).flat()
    }
    try {
      return models.map((model) => {
        const view = snapshot.model(model)
        return { ...versionOf(model, view), trail: view.trail }
      })
    } finally {
      snapshot.release()
    }
  }
}

/** With stamps as versions have them. */
const within = (generation: number, { to, steps }: Trail): Trail => ({
  to: stampIn(generation, to),
  steps: steps.map(({ from, marks }) => ({ from: stampIn(generation, from), marks })),
})
