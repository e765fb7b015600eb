import type { ReadResult } from './read-executor.js'

/** Words that outlive a request. */
export interface KeptWords {
  /** The creators and creations whose words they are. */
  subjects: readonly string[]
}

/** What several reads have read. */
export class WordsRead {
  /** The lowest position among the models; `null` before the first read. */
  position: ReadResult['position'] | null = null
  readonly #subjects = new Set<string>()

  add({ position, subjects }: Pick<ReadResult, 'position' | 'subjects'>): void {
    if (this.position === null || position < this.position) this.position = position
    for (const subject of subjects) this.#subjects.add(subject)
  }

  toKeep(): KeptWords {
    return { subjects: [...this.#subjects] }
  }
}
