/** A turn of the event loop begins no more work after this time. */
const BUDGET_MS = 5

type Begin = () => void

/**
 * Shares the event loop among pieces of work that do not yield to it by themselves, as reads of an embedded store: others are
 * served in between. Those who have work waiting begin a piece each, in turn.
 */
export class LoopTurns {
  /** By whose they are. Who has just begun one is the last. */
  readonly #waiting = new Map<string, Begin[]>()
  /** When the first piece of this turn began. */
  #began: number | null = null
  /** A piece has begun, and its promise callbacks may not have run. */
  #isBusy = false

  /** Resolves when the next piece may begin: at once, unless others have begun and this turn has taken long already. */
  async take(of: string): Promise<void> {
    if (!this.#isBusy && this.#waiting.size === 0 && this.#hasTime) this.#begin()
    else await new Promise<void>((resolve) => this.#wait(of, resolve))
  }

  #wait(of: string, begin: Begin): void {
    const others = this.#waiting.get(of)
    if (others === undefined) this.#waiting.set(of, [begin])
    else others.push(begin)
  }

  get #hasTime(): boolean {
    return this.#began === null || performance.now() - this.#began < BUDGET_MS
  }

  #begin(): void {
    if (this.#began === null) {
      this.#began = performance.now()
      setImmediate(() => this.#endTurn())
    }
    this.#isBusy = true
    // After its synchronous work and its promise callbacks.
    queueMicrotask(() => process.nextTick(() => this.#end()))
  }

  #end(): void {
    this.#isBusy = false
    if (this.#hasTime) this.#beginNext()
  }

  #endTurn(): void {
    this.#began = null
    if (!this.#isBusy) this.#beginNext()
  }

  #beginNext(): void {
    const next = this.#waiting.entries().next().value
    if (next === undefined) return
    const [of, begins] = next
    const begin = begins.shift()
    this.#waiting.delete(of)
    if (begins.length > 0) this.#waiting.set(of, begins)
    this.#begin()
    begin?.()
  }
}
