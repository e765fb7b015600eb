/** At most so many at once; the others wait their turn. */
export class Semaphore {
  readonly #max: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(max: number) {
    this.#max = max
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running += 1
    else await new Promise<void>((admit) => this.#waiting.push(admit))
    try {
      return await work()
    } finally {
      // The next one takes this place, so that none that comes later gets in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
