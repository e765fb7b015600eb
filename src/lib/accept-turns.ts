/** To accept a connection only to refuse it takes about 20 µs. */
const MAX_REFUSING_MS = 5
/** Each turn accepts one. */
const MAX_ACCEPTING_TURNS = 32

/**
 * Since 1.45, libuv accepts one connection per turn of the event loop. With work in every turn, the last of some hundred new
 * connections would wait for seconds before its request is even read. So while connections arrive, work leaves turns to them.
 */
export class AcceptTurns {
  #refused = 0
  #accepted = 0

  /** A connection was refused, and more may be pending. */
  noteRefused(): void {
    this.#refused += 1
  }

  noteAccepted(): void {
    this.#accepted += 1
  }

  /** For work turn by turn: whether to leave the next one to connections that are going to be refused, of which a flood may hide others. */
  forReads(): () => boolean {
    let seen = this.#refused
    let since: number | null = null
    return () => {
      const now = performance.now()
      const isLeft = this.#refused !== seen && now - (since ?? now) < MAX_REFUSING_MS
      seen = this.#refused
      since = isLeft ? (since ?? now) : null
      return isLeft
    }
  }

  /** For requests: the same, and some turns for those that bring requests. */
  forRequests(): () => boolean {
    const leavesToRefused = this.forReads()
    let seen = this.#accepted
    let turns = 0
    return () => {
      if (leavesToRefused()) return true
      const isLeft = this.#accepted !== seen && turns < MAX_ACCEPTING_TURNS
      seen = this.#accepted
      turns = isLeft ? turns + 1 : 0
      return isLeft
    }
  }
}
