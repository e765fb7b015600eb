import type { ReadResult } from './read-executor.js'

/** Up to where some models had come, and their last removals. */
export interface ModelsState {
  /** The lowest of their positions. */
  position: number
  /** `removals` of their versions. */
  removals: readonly string[]
}

/** Words that outlive a request. */
export interface KeptWords {
  /** The creators and creations whose words they are. */
  subjects: readonly string[]
  /** The models they were read from, as those were then. */
  asOf?: ModelsState | undefined
}

/** What several reads have read. */
export class WordsRead {
  /** The lowest position among the models; `null` before the first read. */
  position: ReadResult['position'] | null = null
  readonly #subjects = new Set<string>()
  readonly #removals = new Set<string>()

  add({ position, subjects, versions }: Pick<ReadResult, 'position' | 'subjects' | 'versions'>): void {
    if (this.position === null || position < this.position) this.position = position
    for (const subject of subjects) this.#subjects.add(subject)
    for (const { removals } of versions) this.#removals.add(removals)
  }

  toKeep(): KeptWords {
    return { subjects: [...this.#subjects], asOf: { position: this.position ?? 0, removals: [...this.#removals] } }
  }
}
