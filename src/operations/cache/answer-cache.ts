import { successEnvelope } from '../../contract/envelope.js'
import type { Operation } from '../../contract/operation.js'
import type { Position } from '../../events/index.js'
import { StoreUnavailableError } from '../../ports/document-store.js'
import type { ReadExecutor, ReadResult } from '../read-executor.js'
import { ClockCache, type ClockEntry } from './clock-cache.js'
import { EncodedBodies } from './encoded-bodies.js'
import { etagOf } from './etag.js'
import type { ModelVersions } from './model-versions.js'
import { ReadDependencies } from './read-dependencies.js'
import { TokenBucket } from './token-bucket.js'
import { UrlKeys } from './url-keys.js'
import { CacheValidator, type Freshness } from './validator.js'

/** An answer as it is sent. */
export interface EncodedAnswer {
  body: Buffer
  /** The same in fewer bytes. */
  bodies: EncodedBodies
  etag: string
  position: Position
  /** For the header Content-Language. */
  languages: string
}

/** With the name of the operation it came from. */
export interface CachedAnswer extends EncodedAnswer {
  operation: string
}

interface CacheEntry extends CachedAnswer, ClockEntry {
  validator: CacheValidator
  /** How often it may be made anew; goes on from one to the next. */
  recomputes: TokenBucket
}

export interface AnswerCacheOptions {
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
export interface CacheStats {
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
export class AnswerCache {
  readonly #operations: ReadExecutor
  readonly #versions: ModelVersions
  readonly #now: () => number
  readonly #maxBytes: number
  readonly #entries: ClockCache<CacheEntry>
  readonly #urlKeys = new UrlKeys()
  readonly #flights = new Map<string, Promise<CacheEntry>>()
  #hits = 0
  #stale = 0
  #misses = 0
  #evictions = 0

  constructor(operations: ReadExecutor, versions: ModelVersions, { maxBytes = MAX_BYTES, now = Date.now }: AnswerCacheOptions = {}) {
    this.#operations = operations
    this.#versions = versions
    this.#now = now
    this.#maxBytes = maxBytes
    this.#entries = new ClockCache(maxBytes, () => {
      this.#evictions += 1
    })
  }

  get stats(): CacheStats {
    return {
      hits: this.#hits,
      stale: this.#stale,
      misses: this.#misses,
      evictions: this.#evictions,
      bytes: this.#entries.bytes,
      answers: this.#entries.size,
    }
  }

  /**
   * `input` is whatever the caller sent. Whoever names a position gets an answer of their own. Under `address` the same can
   * be had by {@link getCached} from now on.
   */
  async read(operation: Operation, input: unknown, minPosition?: Position, address?: string): Promise<EncodedAnswer> {
    const parsed = await this.#operations.parse(operation, input)
    if (minPosition !== undefined) return encodeAnswer(await this.#operations.run(operation, parsed, { minPosition }))
    const key = `${operation.name} ${JSON.stringify(parsed)}`
    if (address !== undefined) this.#urlKeys.remember(address, key)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await this.#versions.refresh()
      const kept = this.#entries.get(key)
      if (kept !== undefined && this.#canServe(kept)) return kept
      const made = await this.#computeOnce(key, operation, parsed)
      // While it was made somebody may have been erased.
      await this.#versions.refresh()
      if (made.validator.freshness(this.#versions) !== 'void') return made
    }
    throw new StoreUnavailableError('the store has told of changes that it does not show')
  }

  /** The answer to what has been asked for under this address before, if it can be given without waiting for anything. */
  getCached(address: string): CachedAnswer | undefined {
    const key = this.#urlKeys.keyOf(address)
    if (key === undefined || !this.#versions.isFresh()) return undefined
    const kept = this.#entries.get(key)
    if (kept === undefined) return undefined
    const standing = kept.validator.freshness(this.#versions)
    // One that may be made anew is, by whoever can wait for it.
    if (standing === 'void' || (standing === 'behind' && kept.recomputes.has(this.#now()))) return undefined
    this.#countServed(kept, standing)
    return kept
  }

  #canServe(kept: CacheEntry): boolean {
    const standing = kept.validator.freshness(this.#versions)
    if (standing === 'void' || (standing === 'behind' && kept.recomputes.take(this.#now()))) return false
    this.#countServed(kept, standing)
    return true
  }

  #countServed(kept: CacheEntry, standing: Freshness): void {
    if (standing === 'behind') this.#stale += 1
    else {
      this.#hits += 1
      kept.position = kept.validator.position
    }
    kept.used = true
  }

  /** One at a time for each key: everybody else waits for the same. */
  #computeOnce(key: string, operation: Operation, parsed: Record<string, unknown>): Promise<CacheEntry> {
    const known = this.#flights.get(key)
    if (known !== undefined) return known
    this.#misses += 1
    const flight = this.#compute(key, operation, parsed).finally(() => this.#flights.delete(key))
    this.#flights.set(key, flight)
    return flight
  }

  async #compute(key: string, operation: Operation, parsed: Record<string, unknown>): Promise<CacheEntry> {
    const dependencies = new ReadDependencies()
    const answer = await this.#operations.run(operation, parsed, { dependencies })
    const validator = new CacheValidator(answer.versions, dependencies.tags)
    const { body, etag, position, languages } = encodeAnswer(answer)
    const recomputes = this.#entries.get(key)?.recomputes ?? new TokenBucket(this.#now())
    const bytes = body.length + key.length + validator.bytes + OVERHEAD_BYTES
    const bodies = new EncodedBodies(body, (more) => this.#entries.addBytes(kept, more))
    const kept: CacheEntry = {
      body,
      bodies,
      etag,
      position,
      languages,
      operation: operation.name,
      key,
      bytes,
      validator,
      recomputes,
      used: false,
    }
    if (bytes <= this.#maxBytes * MAX_SHARE) this.#entries.put(kept)
    return kept
  }
}

function encodeAnswer({ data, position, languages }: ReadResult): EncodedAnswer {
  const body = Buffer.from(JSON.stringify(successEnvelope(data)))
  return { body, bodies: new EncodedBodies(body), etag: etagOf(body), position, languages: languages.join(', ') }
}
