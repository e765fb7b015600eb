import type { OutputStream } from './io.js'

/** A line on standard error that shows how far something has come, with rate and time left. Silent when nobody watches. */
export class Progress {
  readonly #stderr: OutputStream
  readonly #label: string
  readonly #total: number | null
  readonly #started = Date.now()
  #shownAt = 0
  #done = 0

  constructor(stderr: OutputStream, label: string, total: number | null) {
    this.#stderr = stderr
    this.#label = label
    this.#total = total
  }

  advance(by: number): void {
    this.#done += by
    const now = Date.now()
    if (!this.#stderr.isTTY || now - this.#shownAt < 100) return
    this.#shownAt = now
    this.#stderr.write(`\r\u001b[2K${this.#line(now)}`)
  }

  /** Clears the line, so that nothing covers what is printed next. */
  end(): void {
    if (this.#stderr.isTTY && this.#shownAt > 0) this.#stderr.write('\r\u001b[2K')
  }

  #line(now: number): string {
    const seconds = Math.max(0.001, (now - this.#started) / 1000)
    const rate = this.#done / seconds
    const share =
      this.#total === null
        ? ''
        : ` ${Math.floor((this.#done / this.#total) * 100)} %, ${Math.ceil((this.#total - this.#done) / rate)} s left`
    return `${this.#label}: ${this.#done.toLocaleString('en')} (${Math.round(rate).toLocaleString('en')}/s)${share}`
  }
}
