import { LRUCache } from 'lru-cache'
import { inOwnMemory } from '../lib/own-memory.js'
import type { BeginResult, IdempotentRequest, ReplyStore, StoredReply } from '../ports/reply-store.js'

const RETENTION_MS = 86_400_000
/** No request runs this long: an older open entry was abandoned. */
const RUNNING_TIMEOUT_MS = 60_000
const MAX_ENTRIES = 10_000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_ENTRY_BYTES = 1024 * 1024
/** About what the key, the headers and a few objects take besides. */
const OVERHEAD_BYTES = 1500

interface StoredEntry extends Omit<IdempotentRequest, 'scope'> {
  answer: StoredReply | null
}

interface Held {
  bytes: number
  /** Oldest first. */
  scopes: Set<string>
}

/**
 * Replies by idempotency key, for a day, in this process. Bounded: the caller that holds most loses its oldest, which
 * costs only a fresh reply, because all these requests are reads.
 */
export class LocalReplyStore implements ReplyStore {
  readonly #callers = new Map<string, Held>()
  readonly #entries: LRUCache<string, StoredEntry>

  constructor(now: () => number = Date.now) {
    this.#entries = new LRUCache({
      ttl: RETENTION_MS,
      // Without another request, too: an expired reply must not stay in memory.
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now },
      // One more: whose oldest goes is decided here.
      max: MAX_ENTRIES + 1,
      maxEntrySize: MAX_ENTRY_BYTES,
      sizeCalculation: bytesOf,
      onInsert: (entry, scope) => this.#add(entry, scope),
      dispose: (entry, scope) => this.#remove(entry, scope),
    })
  }

  /** How many keys are known. */
  get size(): number {
    return this.#entries.size
  }

  /** Someone was removed. A reply that is still being made is not kept either: its key is gone. */
  clear(): void {
    this.#entries.clear()
  }

  begin({ scope, ...request }: IdempotentRequest): BeginResult {
    const known = this.#entries.peek(scope)
    if (known !== undefined) return known.fingerprint === request.fingerprint ? (known.answer ?? 'running') : 'other payload'
    this.#entries.set(scope, { ...request, answer: null }, { ttl: RUNNING_TIMEOUT_MS })
    this.#evict()
    return 'first'
  }

  keep(scope: string, answer: StoredReply): void {
    const entry = this.#entries.peek(scope)
    if (entry === undefined) return
    this.#entries.set(scope, { ...entry, answer: { ...answer, body: inOwnMemory(answer.body) } })
    this.#evict()
  }

  forget(scope: string): void {
    if (this.#entries.peek(scope)?.answer === null) this.drop(scope)
  }

  drop(scope: string): void {
    this.#entries.delete(scope)
  }

  #add(entry: StoredEntry, scope: string): void {
    const held = this.#callers.get(entry.caller) ?? { bytes: 0, scopes: new Set() }
    held.bytes += bytesOf(entry)
    held.scopes.add(scope)
    this.#callers.set(entry.caller, held)
  }

  #remove(entry: StoredEntry, scope: string): void {
    const held = this.#callers.get(entry.caller)
    if (held === undefined) return
    held.bytes -= bytesOf(entry)
    held.scopes.delete(scope)
    if (held.scopes.size === 0) this.#callers.delete(entry.caller)
  }

  #evict(): void {
    while (this.#entries.size > MAX_ENTRIES || this.#entries.calculatedSize > MAX_BYTES) {
      let most: Held = { bytes: 0, scopes: new Set() }
      for (const held of this.#callers.values()) if (held.bytes > most.bytes) most = held
      const [oldest] = most.scopes
      // All of them may have expired just now.
      if (oldest === undefined) this.#entries.purgeStale()
      else this.drop(oldest)
    }
  }
}

const bytesOf = ({ answer }: StoredEntry): number => OVERHEAD_BYTES + (answer?.body.length ?? 0)
