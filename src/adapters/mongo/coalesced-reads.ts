import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Sends equal reads of one turn of the event loop once. The projections of a process commit together and then all look for
 * control records: without this, that is three commands for each of them, once a second, while the next events wait.
 */
export class CoalescedReads<T> {
  readonly #read: (key: string) => Promise<T>
  readonly #pending = new Map<string, Promise<T>>()

  constructor(read: (key: string) => Promise<T>) {
    this.#read = read
  }

  /** All callers share the result, so they must not change it. */
  get(key: string): Promise<T> {
    let result = this.#pending.get(key)
    if (result === undefined) {
      result = this.#readNextTurn(key)
      this.#pending.set(key, result)
    }
    return result
  }

  /** A caller that arrives after the read was sent needs a new one: it may know of a later write. */
  async #readNextTurn(key: string): Promise<T> {
    await nextTurn()
    this.#pending.delete(key)
    return this.#read(key)
  }
}
