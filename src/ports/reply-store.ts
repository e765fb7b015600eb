import { inOwnMemory } from '../lib/own-memory.js'
import { SubjectIndex } from './subject-index.js'

export interface IdempotentRequest {
  /** Hash of the caller. */
  caller: string
  /** Hash of caller, path and key: the same key of another caller must not reach this reply. */
  scope: string
  /** Hash of URL, body and languages, to tell whether a repeated request is really the same. */
  fingerprint: string
}

export interface StoredReply {
  status: number
  headers: Record<string, string | number | string[]>
  body: Buffer
  /** The creators and creations whose words it holds. When one is removed, the reply is dropped. */
  subjects: readonly string[]
}

/** `first`: this request now runs for its key. Otherwise what became of the first one. */
export type BeginResult = 'first' | 'running' | 'other payload' | StoredReply

/** Replies by idempotency key: in this process, or in the supervisor, which several share. */
export interface ReplyStore {
  begin(request: IdempotentRequest): BeginResult | Promise<BeginResult>
  keep(scope: string, answer: StoredReply): void
  /** Frees the key: its request has no reply to repeat. An earlier reply stays. */
  forget(scope: string): void
  /** Deletes a reply: it must not be repeated. */
  drop(scope: string): void
}

const RETENTION_MS = 86_400_000
/** No request runs this long: an older open entry was abandoned. */
const RUNNING_TIMEOUT_MS = 60_000
const EXPIRY_CHECK_MS = 60_000
const MAX_ENTRIES = 10_000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_ANSWER_BYTES = 1024 * 1024
/** An id, and its place in the index. */
const SUBJECT_BYTES = 150
/** About what the key, the headers and a few objects take besides. */
const OVERHEAD_BYTES = 1500

interface StoredEntry {
  caller: string
  fingerprint: string
  since: number
  answer: StoredReply | null
}

/**
 * Replies by idempotency key, for a day, in this process. Bounded: the caller that holds most loses its oldest, which
 * costs only a fresh reply, because all these requests are reads.
 */
export class LocalReplyStore implements ReplyStore {
  readonly #entries = new Map<string, StoredEntry>()
  /** What each caller holds. */
  readonly #byCaller = new Map<string, { bytes: number; scopes: Set<string> }>()
  readonly #index = new SubjectIndex()
  readonly #now: () => number
  #bytes = 0
  #expiryTimer: NodeJS.Timeout | null = null

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  subjects(): Iterable<string> {
    return this.#index.subjects()
  }

  purge(removed: ReadonlySet<string>): void {
    for (const scope of this.#index.holding(removed)) this.drop(scope)
  }

  begin({ caller, scope, fingerprint }: IdempotentRequest): BeginResult {
    const known = this.#entries.get(scope)
    if (known !== undefined && this.#isFresh(known)) {
      if (known.fingerprint !== fingerprint) return 'other payload'
      return known.answer ?? 'running'
    }
    this.drop(scope)
    this.#entries.set(scope, { caller, fingerprint, since: this.#now(), answer: null })
    this.#count(caller, OVERHEAD_BYTES).add(scope)
    this.#scheduleExpiry()
    this.#evict()
    return 'first'
  }

  keep(scope: string, answer: StoredReply): void {
    const entry = this.#entries.get(scope)
    if (entry === undefined) return
    if (bytesOf(answer) > MAX_ANSWER_BYTES) {
      this.drop(scope)
      return
    }
    this.#release(scope, entry)
    entry.answer = { ...answer, body: inOwnMemory(answer.body) }
    this.#count(entry.caller, bytesOf(answer))
    this.#index.add(scope, answer.subjects)
    this.#evict()
  }

  forget(scope: string): void {
    if (this.#entries.get(scope)?.answer === null) this.drop(scope)
  }

  drop(scope: string): void {
    const entry = this.#entries.get(scope)
    if (entry === undefined) return
    this.#release(scope, entry)
    this.#entries.delete(scope)
    const scopes = this.#count(entry.caller, -OVERHEAD_BYTES)
    scopes.delete(scope)
    if (scopes.size === 0) this.#byCaller.delete(entry.caller)
  }

  #count(caller: string, bytes: number): Set<string> {
    const held = this.#byCaller.get(caller) ?? { bytes: 0, scopes: new Set() }
    this.#byCaller.set(caller, held)
    held.bytes += bytes
    this.#bytes += bytes
    return held.scopes
  }

  #release(scope: string, { caller, answer }: StoredEntry): void {
    if (answer === null) return
    this.#count(caller, -bytesOf(answer))
    this.#index.delete(scope, answer.subjects)
  }

  /** Without another request, too: an expired reply must not stay in memory. */
  #scheduleExpiry(): void {
    this.#expiryTimer ??= setTimeout(() => {
      this.#expiryTimer = null
      for (const [scope, entry] of this.#entries) if (!this.#isFresh(entry)) this.drop(scope)
      if (this.#entries.size > 0) this.#scheduleExpiry()
    }, EXPIRY_CHECK_MS).unref()
  }

  #isFresh({ since, answer }: StoredEntry): boolean {
    return this.#now() - since < (answer === null ? RUNNING_TIMEOUT_MS : RETENTION_MS)
  }

  #evict(): void {
    while (this.#entries.size > MAX_ENTRIES || this.#bytes > MAX_BYTES) {
      let most = { bytes: 0, scopes: new Set<string>() }
      for (const held of this.#byCaller.values()) if (held.bytes > most.bytes) most = held
      const [oldest] = most.scopes
      if (oldest === undefined) return
      this.drop(oldest)
    }
  }
}

const bytesOf = ({ body, subjects }: StoredReply): number => body.length + subjects.length * SUBJECT_BYTES
