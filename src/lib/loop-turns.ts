/** A turn of the event loop begins no more work after this time. */
const BUDGET_MS = 5

type Begin = () => void

/**
 * Shares the event loop among pieces of work that do not yield to it by themselves, as reads of an embedded store: others are
 * served in between. Owners whose work waits begin one piece each, in turn.
 */
export class LoopTurns {
  /** By owner; the one that has just begun a piece comes last. */
  readonly #waiting = new Map<string, Begin[]>()
  /** When the first piece of this turn began. */
  #began: number | null = null
  /** A piece has begun, and its promise callbacks may not have run. */
  #isBusy = false
  readonly #leavesTurn: () => boolean

  /** `leavesTurn`: whether to begin nothing in the next turn. */
  constructor(leavesTurn: () => boolean = () => false) {
    this.#leavesTurn = leavesTurn
  }

  /** Resolves when the next piece may begin: at once, unless others have begun and this turn has taken long already. */
  async take(owner: string): Promise<void> {
    if (!this.#isBusy && this.#waiting.size === 0 && this.#hasTime) this.#begin()
    else await new Promise<void>((resolve) => this.#wait(owner, resolve))
  }

  #wait(owner: string, begin: Begin): void {
    const others = this.#waiting.get(owner)
    if (others === undefined) this.#waiting.set(owner, [begin])
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
    if (this.#waiting.size > 0 && this.#leavesTurn()) {
      this.#began = Number.NEGATIVE_INFINITY
      setImmediate(() => this.#endTurn())
      return
    }
    this.#began = null
    if (!this.#isBusy) this.#beginNext()
  }

  #beginNext(): void {
    const next = this.#waiting.entries().next().value
    if (next === undefined) return
    const [owner, begins] = next
    const begin = begins.shift()
    this.#waiting.delete(owner)
    if (begins.length > 0) this.#waiting.set(owner, begins)
    this.#begin()
    begin?.()
  }
}
