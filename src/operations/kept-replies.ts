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

interface StoredEntry {
  fingerprint: string
  answer: StoredReply | null
}

/**
 * Replies by idempotency key, for a day, in this process. Bounded: the oldest goes, which costs only a fresh reply,
 * because all these requests are reads.
 */
export class LocalReplyStore implements ReplyStore {
  readonly #entries: LRUCache<string, StoredEntry>

  constructor(now: () => number = Date.now) {
    this.#entries = new LRUCache({
      ttl: RETENTION_MS,
      // Without another request, too: an expired reply must not stay in memory.
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now },
      max: MAX_ENTRIES,
      maxSize: MAX_BYTES,
      maxEntrySize: MAX_ENTRY_BYTES,
      sizeCalculation: bytesOf,
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

  begin({ scope, fingerprint }: IdempotentRequest): BeginResult {
    const known = this.#entries.peek(scope)
    if (known !== undefined) return known.fingerprint === fingerprint ? (known.answer ?? 'running') : 'other payload'
    this.#entries.set(scope, { fingerprint, answer: null }, { ttl: RUNNING_TIMEOUT_MS })
    return 'first'
  }

  keep(scope: string, answer: StoredReply): void {
    const entry = this.#entries.peek(scope)
    if (entry === undefined) return
    this.#entries.set(scope, { ...entry, answer: { ...answer, body: inOwnMemory(answer.body) } })
  }

  forget(scope: string): void {
    if (this.#entries.peek(scope)?.answer === null) this.drop(scope)
  }

  drop(scope: string): void {
    this.#entries.delete(scope)
  }
}

const bytesOf = ({ answer }: StoredEntry): number => OVERHEAD_BYTES + (answer?.body.length ?? 0)
