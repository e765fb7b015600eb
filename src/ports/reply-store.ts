export interface IdempotentRequest {
  /** Hash of caller, path and key: the same key of another caller must not reach this reply. */
  scope: string
  /** Hash of URL, body and languages, to tell whether a repeated request is really the same. */
  fingerprint: string
}

export interface StoredReply {
  status: number
  headers: Record<string, string | number | string[]>
  body: Buffer
  /** The last removals when its request began (`ModelVersions.readRemovals`). After another it is not repeated. */
  removals: string
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
