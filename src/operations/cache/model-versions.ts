import type { Position } from '../../events/index.js'
import { checkpointFingerprint, type InvalidationLog, parseInvalidationLog } from '../../invalidation/invalidation-log.js'
import { RecentChanges } from '../../invalidation/recent-changes.js'
import { type DocumentStore, ModelUnavailableError, type ModelView, type Snapshot } from '../../ports/document-store.js'

/** The state of a model at one moment. Equal fingerprints mean equal documents. */
export interface ModelVersion {
  model: string
  /** Its number and when it was made: in a store that was emptied, the numbers begin anew. */
  generation: string
  position: Position
  /** Answers from before this position may show an erased creator. */
  invalidBefore: Position
  fingerprint: string
  /** Changes with every removal, and with each step of a large one. */
  removals: string
}

/** Change signals can get lost, so the versions are read again after this time at the latest. */
export const VERSIONS_MAX_AGE_MS = 500
/** The invalidation log holds a few commits only. If we read it too rarely, all cached answers become outdated. */
const REFRESH_AFTER_MS = 100
const MAX_RETRY_MS = 2000

export interface ModelVersionsOptions {
  now?: () => number
  /** Called before this process shows a removal. Settles when no other process shows answers from before it. */
  announceRemoval?: () => Promise<void>
}

export function versionOf(model: string, { generation, checkpoint }: Pick<ModelView, 'generation' | 'checkpoint'>): ModelVersion {
  const { position, floor, slice, tallies } = checkpoint
  const identity = `${generation.number} ${generation.createdAt}`
  return {
    model,
    generation: identity,
    position,
    invalidBefore: floor,
    fingerprint: fingerprintIn(identity, checkpointFingerprint(checkpoint)),
    // A dead letter that is applied later may remove at the same position as the last event.
    removals: [model, identity, floor, tallies.parked, slice?.step, slice?.afterId].join(' '),
  }
}

/** Two generations may have equal checkpoints. */
const fingerprintIn = (generation: string, fingerprint: string): string => `${generation} ${fingerprint}`

/** With the cache tags of the latest commits, as the store has them. */
interface VersionWithLog extends ModelVersion {
  invalidationLog: string | null
}

/**
 * Only more events, and no removal among them. Documents also change without an event: by a repair, a replayed dead letter,
 * a step of a fan-out or another generation. Such a change must show at once, so it is not ordinary.
 */
export const isOrdinaryProgress = (from: ModelVersion, to: ModelVersion): boolean =>
  to.generation === from.generation && to.position > from.position && to.invalidBefore === from.invalidBefore

/**
 * The versions of all models, as this process knows them. They are read again when the store signals a change, once for all
 * requests that wait, never per request.
 */
export class ModelVersions {
  readonly #store: DocumentStore
  readonly #models: readonly string[]
  readonly #now: () => number
  readonly #announce: (() => Promise<void>) | undefined
  readonly #stop: () => void
  readonly #recentChanges = new RecentChanges()
  readonly #removalListeners = new Set<() => void>()
  #known = new Map<string, ModelVersion>()
  /** What was read last, where the store lets it be held. */
  #moment: Snapshot | null = null
  #outdated = true
  #refreshedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | null = null
  #change = 0
  #refreshTimer: NodeJS.Timeout | null = null
  #failures = 0
  #closed = false

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

  /** Counts the changes seen so far. */
  get change(): number {
    return this.#change
  }

  /** Whether anything with these cache tags may have changed since these versions, or since the change `until` if it is known. */
  mayHaveChanged(read: readonly ModelVersion[], until: number | undefined, tags: Uint32Array): boolean {
    const known = until === undefined ? read.map(({ model, fingerprint }) => this.#recentChanges.changeAt(model, fingerprint)) : [until]
    if (!known.every((change) => change !== undefined)) return true
    const models = read.map(({ model }) => model)
    return this.#recentChanges.mayHaveChangedAfter(Math.min(...known), models, tags)
  }

  /** `undefined` while the model is loading. */
  of(model: string): ModelVersion | undefined {
    return this.#known.get(model)
  }

  /** Whether it is the latest version that is known. */
  isKnown({ model, fingerprint }: ModelVersion): boolean {
    return this.#known.get(model)?.fingerprint === fingerprint
  }

  /** A position that every model has reached, as far as is known here. */
  reachedPosition(): number {
    return Math.min(...this.#models.map((model) => this.#known.get(model)?.position ?? 0))
  }

  isFresh(): boolean {
    return !this.#outdated && this.#refreshing === null && this.#now() - this.#refreshedAt < VERSIONS_MAX_AGE_MS
  }

  /** Settles when all changes signalled so far are known. Throws if the store is unavailable. */
  async refresh(): Promise<void> {
    while (!this.isFresh()) {
      this.#refreshing ??= this.#readVersions().finally(() => {
        this.#refreshing = null
      })
      await this.#refreshing
    }
  }

  /** The last removals as the store has them now; what is read from here on has none of what they removed. */
  async readRemovals(): Promise<string> {
    this.expire()
    await this.refresh()
    return [...this.#known.values()].map(({ removals }) => removals).join()
  }

  /** Something changed: no cached answer is served until the versions are read again, and nothing is read at their moment. */
  expire(): void {
    this.#outdated = true
    this.#hold(null)
  }

  /** All models at the moment of these versions, while nothing is known to have changed since; release it after use. */
  moment(): Snapshot | null {
    return this.isFresh() ? (this.#moment?.again?.() ?? null) : null
  }

  #hold(moment: Snapshot | null): void {
    this.#moment?.release()
    this.#moment = moment
  }

  /** Calls back once a removal is known here, or a change that may be one, such as the first reading. Returns how to stop. */
  onRemoval(listener: () => void): () => void {
    this.#removalListeners.add(listener)
    return () => this.#removalListeners.delete(listener)
  }

  /** A read has found these versions. Settles when its answer may be sent: other processes must know of a removal first. */
  async noticeRead(versions: readonly ModelVersion[]): Promise<void> {
    const changed = versions.filter((version) => !this.isKnown(version))
    if (changed.length === 0) return
    this.expire()
    if (this.#announce !== undefined && changed.some((version) => this.#isRemoval(version))) await this.refresh()
  }

  close(): void {
    this.#closed = true
    this.#stop()
    this.#hold(null)
    if (this.#refreshTimer !== null) clearTimeout(this.#refreshTimer)
  }

  /** Also without requests. */
  #refreshSoon(): void {
    if (this.#closed) return
    const delay = Math.min(REFRESH_AFTER_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#refreshTimer ??= setTimeout(() => {
      this.#refreshTimer = null
      this.refresh().catch(() => {})
    }, delay).unref()
  }

  async #readVersions(): Promise<void> {
    // Before reading: a signal that arrives while the store answers may be about something that is not in the answer.
    this.#outdated = false
    const began = this.#now()
    try {
      const found = (await this.#snapshotVersions(this.#models))
        .filter((version) => version !== null)
        .map((version) => this.#latest(version))
      const isRemoval = found.some((version) => this.#isRemoval(version))
      if (isRemoval) await this.#announce?.()
      this.#refreshedAt = began
      this.#failures = 0
      if (found.length === this.#known.size && found.every((version) => this.isKnown(version))) return
      this.#change += 1
      for (const version of found) this.#recordChange(version)
      this.#known = new Map(found.map(({ invalidationLog: _, ...version }) => [version.model, version]))
      if (isRemoval) for (const listener of this.#removalListeners) listener()
    } catch (error) {
      this.#outdated = true
      this.#failures += 1
      // Requests try again by themselves. Who waits for removals may have none.
      if (this.#removalListeners.size > 0) this.#refreshSoon()
      throw error
    }
  }

  /** Records which cache tags changed between the known version and this one. */
  #recordChange({ model, generation, fingerprint, invalidationLog }: VersionWithLog): void {
    const known = this.#known.get(model)?.fingerprint
    if (known === fingerprint) return
    const log = invalidationLog === null ? null : withGeneration(generation, parseInvalidationLog(invalidationLog))
    this.#recentChanges.record(model, known, fingerprint, log, this.#change)
  }

  /** Or another change that must show at once. Without a known version we cannot tell, so we assume it. */
  #isRemoval(version: ModelVersion): boolean {
    const known = this.#known.get(version.model)
    return known === undefined || (known.fingerprint !== version.fingerprint && !isOrdinaryProgress(known, version))
  }

  /** Positions never go back within a generation: a replica that lags has answered. Another one may stand lower, if its log does. */
  #latest(found: VersionWithLog): VersionWithLog {
    const known = this.#known.get(found.model)
    const isOlder = known !== undefined && known.generation === found.generation && known.position > found.position
    return isOlder ? { ...known, invalidationLog: null } : found
  }

  /** All models in one snapshot; if one of them is not loaded yet, each in its own. */
  async #snapshotVersions(models: readonly string[]): Promise<(VersionWithLog | null)[]> {
    let snapshot: Snapshot
    try {
      snapshot = await this.#store.snapshot(models, { invalidationLogs: true })
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
      if (models.length === 1) return [null]
      return (await Promise.all(models.map((model) => this.#snapshotVersions([model])))).flat()
    }
    const found = models.map((model) => {
      const view = snapshot.model(model)
      return { ...versionOf(model, view), invalidationLog: view.invalidationLog }
    })
    const isHeld = snapshot.again !== undefined && !this.#outdated && !this.#closed && models === this.#models
    if (isHeld && found.every((version) => this.#latest(version) === version)) this.#hold(snapshot)
    else snapshot.release()
    return found
  }
}

/** With fingerprints as in `ModelVersion`. */
const withGeneration = (generation: string, { to, entries }: InvalidationLog): InvalidationLog => ({
  to: fingerprintIn(generation, to),
  entries: entries.map(({ from, tags }) => ({ from: fingerprintIn(generation, from), tags })),
})
