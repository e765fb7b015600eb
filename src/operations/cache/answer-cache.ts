import type { Operation } from '../../contract/operation.js'
import type { Position } from '../../events/index.js'
import { StoreUnavailableError } from '../../ports/document-store.js'
import type { Answer, Operations } from '../read-executor.js'
import { Shelf, type Shelved } from './clock-cache.js'
import { Forms } from './encoded-bodies.js'
import { tagOf } from './etag.js'
import type { Versions } from './model-versions.js'
import { Footprint } from './read-dependencies.js'
import { Allowance } from './token-bucket.js'
import { Addresses } from './url-keys.js'
import { Footing, type Standing } from './validator.js'

/** An answer as it is sent. */
export interface Rendered {
  body: Buffer
  /** The same in fewer bytes. */
  forms: Forms
  tag: string
  position: Position
  /** For the header Content-Language. */
  languages: string
}

/** With the name of the operation it came from. */
export interface AtHand extends Rendered {
  operation: string
}

interface Kept extends AtHand, Shelved {
  footing: Footing
  /** How often it may be made anew; goes on from one to the next. */
  allowance: Allowance
}

export interface AnswersOptions {
  maxBytes?: number
  now?: () => number
}

const MAX_BYTES = 128 * 1024 * 1024
/** Larger ones are made each time: a few of them would push out everything else. */
const MAX_SHARE = 1 / 16
/** About what a key and a few objects take beside the body. */
const OVERHEAD_BYTES = 1000
/** Each attempt reads something newer: more than this means that the store does not show what it has told of. */
const ATTEMPTS = 5

/** How the cache fares, for the metrics. */
export interface CacheFigures {
  hits: number
  /** Answered from memory, too, but up to a second behind. */
  stale: number
  misses: number
  evictions: number
  bytes: number
  answers: number
}

/**
 * Answers of public reads as bytes, one for each request in its canonical form. Kept for as long as the models they were
 * read from stay as they were, and a little longer where making them anew all the time would be too much.
 */
export class Answers {
  readonly #operations: Operations
  readonly #versions: Versions
  readonly #now: () => number
  readonly #maxBytes: number
  readonly #shelf: Shelf<Kept>
  readonly #addresses = new Addresses()
  readonly #flights = new Map<string, Promise<Kept>>()
  #hits = 0
  #stale = 0
  #misses = 0
  #evictions = 0

  constructor(operations: Operations, versions: Versions, { maxBytes = MAX_BYTES, now = Date.now }: AnswersOptions = {}) {
    this.#operations = operations
    this.#versions = versions
    this.#now = now
    this.#maxBytes = maxBytes
    this.#shelf = new Shelf(maxBytes, () => {
      this.#evictions += 1
    })
  }

  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      stale: this.#stale,
      misses: this.#misses,
      evictions: this.#evictions,
      bytes: this.#shelf.bytes,
      answers: this.#shelf.size,
    }
  }

  /**
   * `input` is whatever the caller sent. Whoever names a position gets an answer of their own. Under `address` the same can
   * be had by {@link atHand} from now on.
   */
  async read(operation: Operation, input: unknown, minPosition?: Position, address?: string): Promise<Rendered> {
    const key = minPosition === undefined ? keyOf(operation, input) : null
    if (key === null) return rendered(await this.#operations.execute(operation, input, minPosition))
    if (address !== undefined) this.#addresses.learn(address, key)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await this.#versions.settle()
      const kept = this.#shelf.get(key)
      if (kept !== undefined && this.#mayBeShown(kept)) return kept
      const made = await this.#make(key, operation, input)
      // While it was made somebody may have been erased.
      await this.#versions.settle()
      if (made.footing.standing(this.#versions) !== 'void') return made
    }
    throw new StoreUnavailableError('the store has told of changes that it does not show')
  }

  /** The answer to what has been asked for under this address before, if it can be given without waiting for anything. */
  atHand(address: string): AtHand | undefined {
    const key = this.#addresses.keyOf(address)
    if (key === undefined || !this.#versions.isSettled()) return undefined
    const kept = this.#shelf.get(key)
    if (kept === undefined) return undefined
    const standing = kept.footing.standing(this.#versions)
    // One that may be made anew is, by whoever can wait for it.
    if (standing === 'void' || (standing === 'behind' && kept.allowance.has(this.#now()))) return undefined
    this.#shown(kept, standing)
    return kept
  }

  #mayBeShown(kept: Kept): boolean {
    const standing = kept.footing.standing(this.#versions)
    if (standing === 'void' || (standing === 'behind' && kept.allowance.take(this.#now()))) return false
    this.#shown(kept, standing)
    return true
  }

  #shown(kept: Kept, standing: Standing): void {
    if (standing === 'behind') this.#stale += 1
    else {
      this.#hits += 1
      kept.position = kept.footing.position
    }
    kept.used = true
  }

  /** One at a time for each key: everybody else waits for the same. */
  #make(key: string, operation: Operation, input: unknown): Promise<Kept> {
    const known = this.#flights.get(key)
    if (known !== undefined) return known
    this.#misses += 1
    const flight = this.#fly(key, operation, input).finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }

  async #fly(key: string, operation: Operation, input: unknown): Promise<Kept> {
    const footprint = new Footprint()
    const answer = await this.#operations.execute(operation, input, undefined, footprint)
    const footing = new Footing(answer.versions, footprint.marks)
    const { body, tag, position, languages } = rendered(answer)
    const allowance = this.#shelf.get(key)?.allowance ?? new Allowance(this.#now())
    const bytes = body.length + key.length + footing.bytes + OVERHEAD_BYTES
    const forms = new Forms(body, (more) => this.#shelf.grew(kept, more))
    const kept: Kept = { body, forms, tag, position, languages, operation: operation.name, key, bytes, footing, allowance, used: false }
    if (bytes <= this.#maxBytes * MAX_SHARE) this.#shelf.put(kept)
    return kept
  }
}

/** The same for all ways to ask the same. `null` for what cannot be asked: the operation itself says what is wrong with it. */
function keyOf({ name, input: schema }: Operation, input: unknown): string | null {
  const parsed = schema.safeParse(input)
  return parsed.success ? `${name} ${JSON.stringify(parsed.data)}` : null
}

function rendered({ data, position, languages }: Answer): Rendered {
  const body = Buffer.from(JSON.stringify({ code: 0, data }))
  return { body, forms: new Forms(body), tag: tagOf(body), position, languages: languages.join(', ') }
}
