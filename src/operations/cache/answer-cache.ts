import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { successEnvelope } from '../../contract/envelope.js'
import { isOwn, type PlainRead } from '../../contract/operation.js'
import type { Position } from '../../events/index.js'
import { coalesce } from '../../lib/coalesce.js'
import { inOwnMemory } from '../../lib/own-memory.js'
import { StoreUnavailableError } from '../../ports/document-store.js'
import { requestOrigin } from '../own-code.js'
import { NoPlaceError } from '../places.js'
import type { ReadExecutor, ReadResult, RunOptions } from '../read-executor.js'
import { EncodedBodies, etagOf } from './encoded-bodies.js'
import { MAX_KEPT_BYTES } from './kept-documents.js'
import type { ModelVersions } from './model-versions.js'
import { ownInputKey } from './own-input-key.js'
import { ReadDependencies } from './read-dependencies.js'
import { CacheValidator, RecomputeLimit } from './validator.js'

/** An answer as it is sent. */
export interface EncodedAnswer {
  body: Buffer
  /** The body and its compressed forms. */
  bodies: EncodedBodies
  etag: string
  position: Position
  /** For the header Content-Language. */
  languages: string
}

export interface CachedAnswer extends EncodedAnswer {
  /** The name of the operation. */
  operation: string
}

interface CacheEntry extends CachedAnswer {
  validator: CacheValidator
  /** Handed on from each answer of a key to the next. */
  recomputes: RecomputeLimit
  /** The memory it takes, about. */
  bytes: number
  /** When it was last served. */
  usedAt: number
}

export interface CachedReadOptions extends Pick<RunOptions, 'wait' | 'caller'> {
  url?: string | undefined
}

type Caller = RunOptions['caller']

export interface AnswerCacheOptions {
  maxBytes?: number
  now?: () => number
}

const MAX_BYTES = 128 * 1024 * 1024 - MAX_KEPT_BYTES
/** Larger answers are not cached: a few of them would evict everything else. */
const MAX_SHARE = 1 / 16
/** About what a key and a few objects take besides the body. */
const OVERHEAD_BYTES = 1000
/** Answers without a new request since are dropped: memory follows the traffic, and does not fill up once and for all. */
const IDLE_MS = 5 * 60_000
const MAX_URL_BYTES = 8 * 1024 * 1024
/** About what an entry takes besides its two strings. */
const URL_OVERHEAD_BYTES = 100
/** Longer URLs are rarely requested twice. */
const MAX_URL_LENGTH = 500
const CHECKS_PER_TURN = 500
/** Each attempt reads something newer. If it takes more, the store signals changes that its snapshots do not show. */
const ATTEMPTS = 5

/** For the metrics. */
export interface CacheStats {
  hits: number
  /** Served from memory although up to a second behind. */
  stale: number
  misses: number
  evictions: number
  bytes: number
  answers: number
}

/**
 * Encoded answers of public reads, by operation and canonical input. An answer is served while what it was read from is
 * unchanged, and up to a second longer if it changes all the time.
 */
export class AnswerCache {
  readonly #operations: ReadExecutor
  readonly #versions: ModelVersions
  readonly #now: () => number
  readonly #entries: LRUCache<string, CacheEntry>
  /** The cache key of each URL: parsing a URL again costs more than the rest of a cached answer. */
  readonly #urlKeys = new LRUCache<string, string>({
    maxSize: MAX_URL_BYTES,
    sizeCalculation: (key, url) => key.length + url.length + URL_OVERHEAD_BYTES,
  })
  readonly #computing = new Map<string, Promise<CacheEntry>>()
  #hits = 0
  #stale = 0
  #misses = 0
  #evictions = 0

  constructor(operations: ReadExecutor, versions: ModelVersions, { maxBytes = MAX_BYTES, now = Date.now }: AnswerCacheOptions = {}) {
    this.#operations = operations
    this.#versions = versions
    this.#now = now
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.#evictions += 1
      },
    })
  }

  get stats(): CacheStats {
    return {
      hits: this.#hits,
      stale: this.#stale,
      misses: this.#misses,
      evictions: this.#evictions,
      bytes: this.#entries.calculatedSize,
      answers: this.#entries.size,
    }
  }

  /** Reads through the cache, unless it waits for a position. With `url`, {@link getCached} finds the answer from now on. */
  async read(operation: PlainRead, input: unknown, { wait, caller, url }: CachedReadOptions = {}): Promise<EncodedAnswer> {
    const parsed = await this.#operations.parse(operation, input)
    if (wait !== undefined) return encodeAnswer(await this.#operations.run(operation, parsed, { wait, caller }))
    const key = `${operation.name} ${isOwn(operation) ? ownInputKey(operation.input, input, parsed) : JSON.stringify(parsed)}`
    const answer = await this.#readCached(key, operation, parsed, caller)
    // Now that there is an answer: an address without one is dropped with the next removal.
    if (url !== undefined && url.length <= MAX_URL_LENGTH) this.#urlKeys.set(url, key)
    return answer
  }

  async #readCached(key: string, operation: PlainRead, parsed: Record<string, unknown>, caller: Caller): Promise<EncodedAnswer> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await this.#versions.refresh()
      const entry = this.#entries.get(key)
      if (entry !== undefined && this.#serves(entry, 'take')) return entry
      const computed = await this.#computeOnce(key, operation, parsed, caller)
      // A creator may have been erased while the answer was computed.
      await this.#versions.refresh()
      if (computed.validator.freshness(this.#versions) !== 'void') return computed
      this.#entries.delete(key)
    }
    throw new StoreUnavailableError('the store has told of changes that it does not show')
  }

  /** The answer last given for this URL, if it can be served without waiting. An outdated one is left to {@link read}. */
  getCached(url: string): CachedAnswer | undefined {
    const key = this.#urlKeys.get(url)
    if (key === undefined || !this.#versions.isFresh()) return undefined
    const entry = this.#entries.get(key)
    return entry !== undefined && this.#serves(entry, 'has') ? entry : undefined
  }

  /** Settles once {@link getCached} may have the answer for this URL; `null` if there is nothing to wait for. */
  untilFresh(url: string): Promise<void> | null {
    const key = this.#urlKeys.get(url)
    return key === undefined || !this.#entries.has(key) || this.#versions.isFresh() ? null : this.#versions.refresh()
  }

  /** Drops every answer that a removal has made void, and the addresses without an answer, which may hold a handle. */
  readonly dropVoid = coalesce(() => this.#dropVoid())

  async #dropVoid(): Promise<void> {
    let checked = 0
    for (const [key, entry] of [...this.#entries.entries()]) {
      if (entry.validator.freshness(this.#versions) === 'void' && this.#entries.peek(key) === entry) this.#entries.delete(key)
      // A full cache takes a while: requests come in between.
      if (++checked % CHECKS_PER_TURN === 0) await turn()
    }
    for (const [url, key] of [...this.#urlKeys.entries()]) {
      if (!this.#entries.has(key)) this.#urlKeys.delete(url)
      if (++checked % CHECKS_PER_TURN === 0) await turn()
    }
  }

  /** False if the entry has to be recomputed: it is void, or it is behind and its limit allows it. `take` uses the limit up. */
  #serves(entry: CacheEntry, limitCheck: 'take' | 'has'): boolean {
    const freshness = entry.validator.freshness(this.#versions)
    if (freshness === 'void') return false
    entry.usedAt = this.#now()
    if (freshness === 'behind') {
      if (entry.recomputes[limitCheck](this.#now())) return false
      this.#stale += 1
    } else {
      this.#hits += 1
      entry.position = entry.validator.position
    }
    return true
  }

  /** All requests for a key wait for the same run, unless it found no place for another caller. */
  #computeOnce(key: string, operation: PlainRead, parsed: Record<string, unknown>, caller: Caller): Promise<CacheEntry> {
    const running = this.#computing.get(key)
    if (running !== undefined) {
      // It may take as long as the one that runs, which holds no slot either.
      if (isOwn(operation)) requestOrigin()?.releaseSlot?.()
      return running.catch((error) => {
        if (!(error instanceof NoPlaceError) || error.caller === null || error.caller === requestOrigin()?.caller) throw error
        return this.#computeOnce(key, operation, parsed, caller)
      })
    }
    this.#misses += 1
    const started = this.#compute(key, operation, parsed, caller).finally(() => this.#computing.delete(key))
    this.#computing.set(key, started)
    return started
  }

  async #compute(key: string, operation: PlainRead, parsed: Record<string, unknown>, caller: Caller): Promise<CacheEntry> {
    const dependencies = new ReadDependencies()
    const result = await this.#operations.run(operation, parsed, { caller, dependencies })
    const validator = new CacheValidator(result.versions, dependencies.tags)
    const answer = encodeAnswer(result, (bytes) => this.#grow(key, entry, bytes))
    const known = this.#entries.get(key)
    if (known?.etag === answer.etag) return this.#renew(key, known, answer, validator)
    const entry: CacheEntry = {
      ...answer,
      operation: operation.name,
      validator,
      usedAt: this.#now(),
      recomputes: known?.recomputes ?? new RecomputeLimit(this.#now()),
      bytes: answer.body.length + key.length + validator.bytes + OVERHEAD_BYTES,
    }
    if (entry.bytes <= this.#entries.maxSize * MAX_SHARE) this.#entries.set(key, entry)
    this.#dropIdle()
    return entry
  }

  /** What has changed does not show: the body stays, with its compressed forms. */
  #renew(key: string, entry: CacheEntry, { position, languages }: EncodedAnswer, validator: CacheValidator): CacheEntry {
    const bytes = validator.bytes - entry.validator.bytes
    Object.assign(entry, { position, languages, validator, usedAt: this.#now() })
    this.#grow(key, entry, bytes)
    return entry
  }

  #dropIdle(): void {
    const since = this.#now() - IDLE_MS
    for (const key of this.#entries.rkeys()) {
      if ((this.#entries.peek(key)?.usedAt ?? 0) > since) return
      this.#entries.delete(key)
    }
  }

  /** A compressed form was added, or what the answer depends on. The entry may have been evicted or replaced by then. */
  #grow(key: string, entry: CacheEntry, bytes: number): void {
    entry.bytes += bytes
    if (this.#entries.peek(key) !== entry) return
    // Setting the same value again would not change its size.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }
}

function encodeAnswer({ data, position, languages }: ReadResult, onGrowth?: (bytes: number) => void): EncodedAnswer {
  const body = inOwnMemory(Buffer.from(JSON.stringify(successEnvelope(data))))
  return { body, bodies: new EncodedBodies(body, onGrowth), etag: etagOf(body), position, languages: languages.join(', ') }
}
