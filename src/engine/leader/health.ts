import { clip } from '../../lib/message-text.js'
import { CommitTooLargeError, type ProjectionHealth, StorageError, StoreUnavailableError } from '../../ports/document-store.js'
import { LogUnavailableError, LogUnfitError } from '../../ports/event-log.js'
import { isForeignLog } from '../fold/log-identity.js'
import type { LogReader } from '../fold/log-reader.js'

const MAX_ERROR_LENGTH = 200
/** By name: the engine does not know the driver. */
const REFUSALS: readonly string[] = ['MongoServerError', 'MongoBulkWriteError', 'RefusedError']

/** What a process knows of a projection that it leads, or would lead. */
export class HealthRecord {
  readonly #reader: Pick<LogReader, 'answeredAt'>
  readonly #onChange: () => void
  #health: ProjectionHealth

  /** `crash`: why the thread before this one ended. */
  constructor(reader: Pick<LogReader, 'answeredAt'>, crash: string | null, onChange: () => void) {
    this.#reader = reader
    this.#onChange = onChange
    const now = Date.now()
    const state = crash === null ? { state: 'loading' as const, reason: null, failures: 0 } : { ...RETRYING, reason: 'other' as const }
    this.#health = { ...state, lastError: crash, since: now, progressAt: now, logReadAt: now, fanOut: null, slowFold: null }
  }

  get current(): ProjectionHealth {
    return { ...this.#health, logReadAt: this.#reader.answeredAt }
  }

  /** What the leader before said holds until this one has found out. */
  inherit(before: ProjectionHealth | null): void {
    if (before === null || this.#health.failures > 0 || this.#health.state === 'live') return
    this.#health = { ...before, progressAt: Date.now(), fanOut: null }
  }

  /** `fanOut`: the one under way, or `null` when there is none. */
  progressed(fanOut = this.#health.fanOut): void {
    this.#health.progressAt = Date.now()
    this.#health.fanOut = fanOut
  }

  foldedSlowly(slowFold: NonNullable<ProjectionHealth['slowFold']>): void {
    this.#health.slowFold = slowFold
  }

  loading(): void {
    if (this.#health.failures === 0) this.#change('loading', null, null, 0)
  }

  /** A commit was taken, or the log had nothing new. */
  succeeded(): void {
    this.#change('live', null, null, 0)
  }

  failed(error: unknown): void {
    const reason = reasonOf(error)
    this.#change(reason === 'foreign' ? 'stopped' : 'retrying', reason, describe(error), this.#health.failures + 1)
  }

  #change(state: ProjectionHealth['state'], reason: ProjectionHealth['reason'], lastError: string | null, failures: number): void {
    const before = this.#health
    const isNew = before.state !== state || before.reason !== reason
    this.#health = { ...before, state, reason, lastError, failures, since: isNew ? Date.now() : before.since }
    if (isNew) this.#onChange()
  }
}

const RETRYING = { state: 'retrying' as const, failures: 1 }

function reasonOf(error: unknown): NonNullable<ProjectionHealth['reason']> {
  if (isForeignLog(error)) return 'foreign'
  if (error instanceof LogUnavailableError || error instanceof LogUnfitError) return 'log'
  if (error instanceof StoreUnavailableError) return 'store'
  const isRefusal = error instanceof StorageError || error instanceof CommitTooLargeError
  return isRefusal || (error instanceof Error && REFUSALS.includes(error.name)) ? 'refused' : 'other'
}

/** Messages of the ports hold no payload. Others may quote a document, so only their name and code are told. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const isOurs = reasonOf(error) !== 'other' && !REFUSALS.includes(error.name)
  if (isOurs) return clip(error.message.replace(/\s+/g, ' '), MAX_ERROR_LENGTH)
  const codes = ['codeName', 'code'].flatMap((key) => (key in error ? [String(error[key as keyof Error])] : []))
  return clip([error.name, ...codes].join(' '), MAX_ERROR_LENGTH)
}
