/** A caller who asks for Ada, of the small community, again and again. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { request } from './sockets.js'

const HERS = ['/public/share/user/ada-l', '/public/share/user/ada-l/followers', '/public/share/app/ada-l/tide-clock']
/** With those in which she was seen before her erasure. */
const OTHERS = ['/public/share/community?limit=48', '/public/share/community/landing', '/public/share/user/ben/followers']

export class ErasedCaller {
  /** Changes when the service has been started again. */
  port: number
  /** Answers that show her. */
  readonly seen: string[] = []
  answers = 0
  #stopped = false
  readonly #calling: Promise<void>

  /** Calls until the test ends. She must have been erased. */
  constructor(t: Pick<Test, 'teardown'>, port: number) {
    this.port = port
    this.#calling = this.#call()
    t.teardown(() => this.stop())
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#calling
  }

  async #call(): Promise<void> {
    while (!this.#stopped) {
      for (const path of [...HERS, ...OTHERS]) {
        // Nothing is served while the service is away.
        const answer = await request(this.port, path).catch(() => null)
        if (answer === null) continue
        this.answers += 1
        if ((HERS.includes(path) && answer.statusCode === 200) || /Ada L\.|Tide clock/.test(answer.body))
          this.seen.push(`${path}: ${answer.statusCode} ${answer.body}`)
      }
      await nextTurn()
    }
  }
}
