/** Which kept things hold words of which creators and creations. */
export class SubjectIndex {
  readonly #keys = new Map<string, Set<string>>()

  add(key: string, subjects: Iterable<string>): void {
    for (const subject of subjects) {
      const keys = this.#keys.get(subject)
      if (keys === undefined) this.#keys.set(subject, new Set([key]))
      else keys.add(key)
    }
  }

  delete(key: string, subjects: Iterable<string>): void {
    for (const subject of subjects) {
      const keys = this.#keys.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(subject)
    }
  }

  /** Each once. */
  subjects(): Iterable<string> {
    return this.#keys.keys()
  }

  /** What holds words of any of these. */
  holding(subjects: Iterable<string>): Set<string> {
    const found = new Set<string>()
    for (const subject of subjects) for (const key of this.#keys.get(subject) ?? []) found.add(key)
    return found
  }
}
