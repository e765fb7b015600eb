import type { Position } from '../../events/index.js'
import { checkpointFingerprint, type InvalidationLog, parseInvalidationLog } from '../../invalidation/invalidation-log.js'
import { RecentChanges } from '../../invalidation/recent-changes.js'
import { type DocumentStore, ModelUnavailableError, type ModelView, type Snapshot } from '../../ports/document-store.js'

/** One moment of one model. Two with the same stamp hold the same documents. */
export interface ModelVersion {
  model: string
  generation: number
  position: Position
  /** Whatever is older than this may show somebody who has been erased. */
  invalidBefore: Position
  fingerprint: string
}

/** Notices can get lost, and a store can fall silent: nothing is believed for longer than this without asking. */
export const VERSIONS_MAX_AGE_MS = 500
/** What commits have touched is told for a few of them only: whoever looks rarely loses sight, and with it all its answers. */
const REFRESH_AFTER_MS = 100

export interface ModelVersionsOptions {
  now?: () => number
  /** Called before anybody here gets to see a removal; settles once nobody elsewhere is shown anything from before it. */
  announceRemoval?: () => Promise<void>
}

export function versionOf(model: string, { generation, checkpoint }: Pick<ModelView, 'generation' | 'checkpoint'>): ModelVersion {
  const { position, floor } = checkpoint
  return {
    model,
    generation: generation.number,
    position,
    invalidBefore: floor,
    fingerprint: fingerprintIn(generation.number, checkpointFingerprint(checkpoint)),
  }
}

/** Checkpoints of two generations may be alike. */
const fingerprintIn = (generation: number, stamp: string): string => `${generation} ${stamp}`

/** With what the latest commits have touched, as the store has it. */
interface VersionWithLog extends ModelVersion {
  invalidationLog: string | null
}

/**
 * More events, none of them a removal. Documents that changed without an event (a repair, a replayed dead letter, part of
 * a fan-out, another generation) were changed for a reason that does not wait either.
 */
export const isOrdinaryProgress = (from: ModelVersion, to: ModelVersion): boolean =>
  to.generation === from.generation && to.position > from.position && to.invalidBefore <= from.position

/**
 * What this process knows of how far the models have come. The store tells when something changed; only then is it
 * asked, once for everybody who waits, and never for each request.
 */
export class ModelVersions {
  readonly #store: DocumentStore
  readonly #models: readonly string[]
  readonly #now: () => number
  readonly #announce: (() => Promise<void>) | undefined
  readonly #stop: () => void
  readonly #recentChanges = new RecentChanges()
  #known = new Map<string, ModelVersion>()
  #outdated = true
  #refreshedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | null = null
  #change = 0
  #refreshTimer: NodeJS.Timeout | null = null

  constructor(store: DocumentStore, models: readonly string[], { now = Date.now, announceRemoval }: ModelVersionsOptions = {}) {
    this.#store = store
    this.#models = models
    this.#now = now
    this.#announce = announceRemoval
    this.#stop = store.onChange(() => {
      this.expire()
      this.#refreshSoon()
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
  mayHaveChanged(read: readonly ModelVersion[], until: number | undefined, marks: Uint32Array): boolean {
    const known = until === undefined ? read.map(({ model, fingerprint }) => this.#recentChanges.changeAt(model, fingerprint)) : [until]
    if (!known.every((change) => change !== undefined)) return true
    const models = read.map(({ model }) => model)
    return this.#recentChanges.mayHaveChangedAfter(Math.min(...known), models, marks)
  }

  /** `undefined` while the model is being loaded. */
  of(model: string): ModelVersion | undefined {
    return this.#known.get(model)
  }

  isFresh(): boolean {
    return !this.#outdated && this.#refreshing === null && this.#now() - this.#refreshedAt < VERSIONS_MAX_AGE_MS
  }

  /** Settles once everything the store has told so far is known here. Throws when the store cannot be asked. */
  async refresh(): Promise<void> {
    while (!this.isFresh()) {
      this.#refreshing ??= this.#readVersions().finally(() => {
        this.#refreshing = null
      })
      await this.#refreshing
    }
  }

  /** There is news: nobody gets anything older before the store has been asked. */
  expire(): void {
    this.#outdated = true
  }

  /** A reader has seen these. Settles once the reader may tell: news of a removal has to be known to all others first. */
  async noticeRead(versions: readonly ModelVersion[]): Promise<void> {
    const news = versions.filter(({ model, fingerprint }) => this.#known.get(model)?.fingerprint !== fingerprint)
    if (news.length === 0) return
    this.expire()
    if (this.#announce !== undefined && news.some((version) => this.#isRemoval(version))) await this.refresh()
  }

  close(): void {
    this.#stop()
    if (this.#refreshTimer !== null) clearTimeout(this.#refreshTimer)
  }

  /** Even while nobody asks for anything. A store that cannot be asked now is asked by the next who needs it. */
  #refreshSoon(): void {
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = null
      this.refresh().catch(() => {})
    }, REFRESH_AFTER_MS).unref()
  }

  async #readVersions(): Promise<void> {
    // First: a notice that comes while the store answers may be about something that is not in the answer.
    this.#outdated = false
    const began = this.#now()
    try {
      const found = (await this.#snapshotVersions(this.#models))
        .filter((version) => version !== null)
        .map((version) => this.#latest(version))
      if (this.#announce !== undefined && found.some((version) => this.#isRemoval(version))) await this.#announce()
      this.#refreshedAt = began
      if (found.length === this.#known.size && found.every(({ model, fingerprint }) => this.#known.get(model)?.fingerprint === fingerprint))
        return
      this.#change += 1
      for (const version of found) this.#recordChange(version)
      this.#known = new Map(found.map(({ invalidationLog: _, ...version }) => [version.model, version]))
    } catch (error) {
      this.#outdated = true
      throw error
    }
  }

  /** Takes note of what was touched on the way from what is known to this. */
  #recordChange({ model, generation, fingerprint, invalidationLog }: VersionWithLog): void {
    const known = this.#known.get(model)?.fingerprint
    if (known !== fingerprint)
      this.#recentChanges.record(
        model,
        known,
        fingerprint,
        invalidationLog === null ? null : withGeneration(generation, parseInvalidationLog(invalidationLog)),
        this.#change,
      )
  }

  /** Or something else that must not be shown as it was; who knows nothing yet cannot tell. */
  #isRemoval(version: ModelVersion): boolean {
    const known = this.#known.get(version.model)
    return known === undefined || (known.fingerprint !== version.fingerprint && !isOrdinaryProgress(known, version))
  }

  /** A generation never goes back: a server that says so is a replica that has some catching up to do. */
  #latest(found: VersionWithLog): VersionWithLog {
    const known = this.#known.get(found.model)
    const isOlder = known !== undefined && known.generation === found.generation && known.position > found.position
    return isOlder ? { ...known, invalidationLog: null } : found
  }

  /** All at one moment if they are all there; otherwise those that are. */
  async #snapshotVersions(models: readonly string[]): Promise<(VersionWithLog | null)[]> {
    let snapshot: Snapshot
    try {
      snapshot = await this.#store.snapshot(models, { invalidationLogs: true })
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
      if (models.length === 1) return [null]
      return (await Promise.all(models.map((model) => this.#snapshotVersions([model])))).flat()
    }
    try {
      return models.map((model) => {
        const view = snapshot.model(model)
        return { ...versionOf(model, view), invalidationLog: view.invalidationLog }
      })
    } finally {
      snapshot.release()
    }
  }
}

/** With stamps as versions have them. */
const withGeneration = (generation: number, { to, entries }: InvalidationLog): InvalidationLog => ({
  to: fingerprintIn(generation, to),
  entries: entries.map(({ from, tags }) => ({ from: fingerprintIn(generation, from), tags })),
})
