import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Asks once for what several want to know in the same turn. The projections of a process come from the same commit, and look
 * for notes right after it: asked one by one, that is three commands for each of them at once, once a second, while the
 * next events wait.
 */
export class CoalescedReads<T> {
  readonly #read: (what: string) => Promise<T>
  readonly #pending = new Map<string, Promise<T>>()

  constructor(ask: (what: string) => Promise<T>) {
    this.#read = ask
  }

  /** The answer is for all of them: not to be changed. */
  get(what: string): Promise<T> {
    let answer = this.#pending.get(what)
    if (answer === undefined) {
      answer = this.#readNextTurn(what)
      this.#pending.set(what, answer)
    }
    return answer
  }

  /** Whoever comes after the question has gone out may know of something newer than its answer. */
  async #readNextTurn(what: string): Promise<T> {
    await nextTurn()
    this.#pending.delete(what)
    return this.#read(what)
  }
}
