import { OverloadedError } from '../contract/errors.js'
import { requestOrigin } from './own-code.js'

/** Custom reads that run at once in this process. One that hangs keeps its place until its answer is given up. */
const MAX_IN_ALL = 128
const MAX_PER_CALLER = 4
/** From here on a caller gets one only if it has none: a few callers with slow reads must not take all. */
const SCARCE = 64
/** Quick reads soon make room: a batch holds up to ten. */
const MAX_WAIT_MS = 250

/** Too many custom reads run. */
export class NoPlaceError extends OverloadedError {
  override name = 'NoPlaceError'

  /** `caller`: who has too many; null if all together have. */
  constructor(readonly caller: string | null) {
    super(caller === null ? 'Too many of these reads are running: try again in a moment.' : 'You have too many of these reads running.')
  }
}

interface Waiter {
  caller: string | null
  admit(): void
}

/** Places for custom reads: nothing says how long those take, so they hold none of the slots that ours wait for. */
class Places {
  readonly #taken = new Map<string | null, number>()
  readonly #waiting = new Set<Waiter>()
  #inAll = 0

  async run<T>(caller: string | null, read: () => Promise<T>): Promise<T> {
    if (this.#isFree(caller)) this.#add(caller, 1)
    else await this.#wait(caller)
    try {
      return await read()
    } finally {
      this.#add(caller, -1)
      this.#admitNext()
    }
  }

  #isFree(caller: string | null): boolean {
    return this.#inAll < MAX_IN_ALL && !this.#isOver(caller)
  }

  /** A request that was injected has no caller. */
  #isOver(caller: string | null): boolean {
    return caller !== null && (this.#taken.get(caller) ?? 0) >= (this.#inAll < SCARCE ? MAX_PER_CALLER : 1)
  }

  #add(caller: string | null, change: 1 | -1): void {
    this.#inAll += change
    const taken = (this.#taken.get(caller) ?? 0) + change
    if (taken === 0) this.#taken.delete(caller)
    else this.#taken.set(caller, taken)
  }

  #wait(caller: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiter)
        reject(new NoPlaceError(this.#isOver(caller) ? caller : null))
      }
      const timer = setTimeout(giveUp, MAX_WAIT_MS)
      const admit = () => {
        clearTimeout(timer)
        resolve()
      }
      const waiter = { caller, admit }
      this.#waiting.add(waiter)
    })
  }

  #admitNext(): void {
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.caller)) continue
      this.#waiting.delete(waiter)
      this.#add(waiter.caller, 1)
      waiter.admit()
      return
    }
  }
}

const places = new Places()

/** Runs a custom read in one of its places, for the caller of this request. Rejects with a {@link NoPlaceError}. */
export function inPlace<T>(read: () => Promise<T>): Promise<T> {
  const origin = requestOrigin()
  origin?.releaseSlot?.()
  return places.run(origin?.caller ?? null, read)
}
