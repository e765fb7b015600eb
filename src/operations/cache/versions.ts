import type { Position } from '../../events/index.js'
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
const BELIEVED_MS = 500

export function versionOf(model: string, { generation, checkpoint }: Pick<ModelView, 'generation' | 'checkpoint'>): Version {
  const { number } = generation
  const { position, floor } = checkpoint
  return { model, generation: number, position, floor, stamp: `${number} ${JSON.stringify(checkpoint)}` }
}

/**
 * What this process knows of how far the models have come. The store tells when something changed; only then is it
 * asked, once for everybody who waits, and never for each request.
 */
export class Versions {
  readonly #store: DocumentStore
  readonly #models: readonly string[]
  readonly #now: () => number
  readonly #stop: () => void
  #known = new Map<string, Version>()
  #outdated = true
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | null = null
  #change = 0

  constructor(store: DocumentStore, models: readonly string[], now: () => number = Date.now) {
    this.#store = store
    this.#models = models
    this.#now = now
    this.#stop = store.onChange(() => {
      this.#outdated = true
    })
  }

  /** Grows whenever a model is seen to have moved. */
  get change(): number {
    return this.#change
  }

  /** `undefined` while the model is being loaded. */
  of(model: string): Version | undefined {
    return this.#known.get(model)
  }

  isSettled(now: number): boolean {
    return !this.#outdated && now - this.#askedAt < BELIEVED_MS
  }

  /** Settles once everything the store has told so far is known here. Throws when the store cannot be asked. */
  async settle(): Promise<void> {
    while (!this.isSettled(this.#now())) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null
      })
      await this.#asking
    }
  }

  /** A reader has seen these. If they are news, nobody gets anything older before the store has been asked. */
  saw(versions: readonly Version[]): void {
    if (versions.some(({ model, stamp }) => this.#known.get(model)?.stamp !== stamp)) this.#outdated = true
  }

  close(): void {
    this.#stop()
  }

  async #ask(): Promise<void> {
    // First: a notice that comes while the store answers may be about something that is not in the answer.
    this.#outdated = false
    const began = this.#now()
    try {
      const found = (await this.#look(this.#models)).filter((version) => version !== null).map((version) => this.#latest(version))
      this.#askedAt = began
      if (found.length === this.#known.size && found.every(({ model, stamp }) => this.#known.get(model)?.stamp === stamp)) return
      this.#known = new Map(found.map((version) => [version.model, version]))
      this.#change += 1
    } catch (error) {
      this.#outdated = true
      throw error
    }
  }

  /** A generation never goes back: a server that says so is a replica that has some catching up to do. */
  #latest(found: Version): Version {
    const known = this.#known.get(found.model)
    return known !== undefined && known.generation === found.generation && known.position > found.position ? known : found
  }

  /** All at one moment if they are all there; otherwise those that are. */
  async #look(models: readonly string[]): Promise<(Version | null)[]> {
    let snapshot: Snapshot
    try {
      snapshot = await this.#store.snapshot(models)
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
      if (models.length === 1) return [null]
      return (await Promise.all(models.map((model) => this.#look([model])))).flat()
    }
    try {
      return models.map((model) => versionOf(model, snapshot.model(model)))
    } finally {
      snapshot.release()
    }
  }
}
