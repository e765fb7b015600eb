import type { Position } from '../events/index.js'
import type { DocumentStore, Generation, GenerationStore, Lease } from '../ports/document-store.js'
import { Decisions } from './decisions.js'
import type { Projection } from './definition.js'
import { ForeignLogError, recogniseLog } from './own-log.js'
import type { RunnerLog } from './runner-log.js'
import { Session } from './session.js'
import type { Source } from './source.js'

/** Events at a time: small, because the live generation waits meanwhile. */
const PAGE = 500

interface Parts {
  projection: Projection
  store: DocumentStore
  source: Source
  logger: RunnerLog
}

/**
 * What is removed from the live generation has to go from the retired ones, too. After each removal they are caught up
 * to it, a page at a time between the live batches; one that this code cannot catch up is dropped. The live floor
 * remembers the last removal, so a new leader sees what a crash has left undone.
 */
export class RetiredGenerations {
  readonly #parts: Parts
  readonly #lease: Lease
  /** Retired generations have come at least this far. */
  #settledTo: Position = 0 as Position
  #current: { opened: GenerationStore; session: Session; decisions: Decisions } | null = null

  constructor(parts: Parts, lease: Lease) {
    this.#parts = parts
    this.#lease = lease
  }

  /** Look at all of them again: one that was in other hands has been given back. */
  forget(): void {
    this.#settledTo = 0 as Position
  }

  isBehind(floor: Position): boolean {
    return this.#settledTo < floor
  }

  /** One page nearer to the floor. `busy` is being caught up by somebody else. */
  async step(floor: Position, busy: number | null): Promise<void> {
    this.#current ??= await this.#nextBehind(floor, busy)
    if (this.#current === null) {
      this.#settledTo = floor
      return
    }
    const { session, decisions } = this.#current
    await session.advance(decisions.applied(await this.#parts.source.page(session.position, PAGE)))
    if (session.position >= floor) await this.close()
  }

  async close(): Promise<void> {
    const current = this.#current
    this.#current = null
    await current?.opened.close()
  }

  async #nextBehind(floor: Position, busy: number | null) {
    const { store, projection } = this.#parts
    for (const generation of await store.generations(projection.name)) {
      if (generation.state !== 'retired' || generation.number === busy) continue
      const current = await this.#openIfBehind(generation, floor)
      if (current !== null) return current
    }
    return null
  }

  async #openIfBehind(generation: Generation, floor: Position) {
    const { store, projection, source } = this.#parts
    const own = generation.version === projection.version
    const opened = await store.openGeneration(generation, own ? projection.collections : [])
    try {
      const checkpoint = await opened.checkpoint()
      if (checkpoint.position < floor) {
        if (!own) throw new ForeignLogError(`it is of version ${generation.version}`)
        await recogniseLog(source, projection.name, checkpoint)
        const session = await Session.open(projection, opened, this.#lease.epoch, false)
        return { opened, session, decisions: await Decisions.of(store, projection.name) }
      }
    } catch (error) {
      await opened.close()
      if (!(error instanceof ForeignLogError)) throw error
      await this.#drop(generation, error.message)
      return null
    }
    await opened.close()
    return null
  }

  async #drop(generation: Generation, reason: string): Promise<void> {
    const { store, projection, logger } = this.#parts
    await store.dropGeneration(generation, this.#lease)
    const details = { projection: projection.name, generation: generation.number, reason }
    logger.warn(details, 'a retired generation was dropped: what has been removed cannot be removed from it')
  }
}
