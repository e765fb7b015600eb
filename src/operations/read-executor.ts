import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { ServiceError, schemaError } from '../contract/errors.js'
import { DEFAULT_LOCALE, Localizer } from '../contract/locale.js'
import { type InputSchema, isOwn, type PlainRead } from '../contract/operation.js'
import type { PublicUrls } from '../contract/public-urls.js'
import type { Position } from '../events/index.js'
import { LoopTurns } from '../lib/loop-turns.js'
import { type DocumentStore, ModelUnavailableError, type Snapshot } from '../ports/document-store.js'
import type { KeptDocuments } from './cache/kept-documents.js'
import { type ModelVersion, type ModelVersions, versionOf } from './cache/model-versions.js'
import type { ReadDependencies } from './cache/read-dependencies.js'
import { asOwnCode } from './own-code.js'
import { ownFailure } from './own-failure.js'
import { inPlace } from './places.js'
import { trackSubjects } from './subjects.js'

export interface ReadResult<T = unknown> {
  data: T
  /** The lowest position among the models that were read: everything up to here is in the answer. */
  position: Position
  languages: string[]
  /** The creators and creations whose words were read. */
  subjects: ReadonlySet<string>
  /** The versions of the models that were read. */
  versions: readonly ModelVersion[]
}

/** Measures an operation from start to end. */
export type InstrumentOperation = <T>(name: string, run: () => Promise<T>) => Promise<T>

export interface ReadExecutorOptions {
  /** How long a reader may wait for a position. */
  waitMs?: number
  instrument?: InstrumentOperation
  /** Learns which versions of the models are read, before the operation runs. */
  versions?: Pick<ModelVersions, 'noticeRead' | 'moment'>
  kept?: Pick<KeptDocuments, 'over'>
  /** Whether to begin no read in the next turn of the event loop. */
  leavesTurn?: () => boolean
}

/** Until the models have reached this position, within bounds, or the signal says that the caller has gone. */
export interface Wait {
  position: Position
  signal?: AbortSignal
  /** Of all reads of one request. Set by the first that waits. */
  deadline?: number
}

export class PositionNotReachedError extends ServiceError {
  constructor(position: Position) {
    super('timeout', `The models have not reached position ${position} yet.`, { retryAfterS: 1 })
  }
}

export interface RunOptions {
  wait?: Wait | undefined
  /** Callers take turns. */
  caller?: string | null | undefined
  /** Collects what the answer is read from. */
  dependencies?: ReadDependencies
}

/** Runs operations against the read models, for every surface. */
export class ReadExecutor {
  readonly #store: DocumentStore
  readonly #urls: PublicUrls
  readonly #waitMs: number
  /** By models: a look at their positions that has not begun. */
  readonly #looks = new Map<string, Promise<number>>()
  /** Reads of one batch, or of many callers, begin together: others are served in between, and not all have a snapshot at once. */
  readonly #turns: LoopTurns
  readonly #instrument: InstrumentOperation
  readonly #kept: Pick<KeptDocuments, 'over'> | undefined
  readonly #versions: Pick<ModelVersions, 'noticeRead' | 'moment'> | undefined

  constructor(
    store: DocumentStore,
    urls: PublicUrls,
    { waitMs = 2000, instrument = (_name, run) => run(), versions, kept, leavesTurn }: ReadExecutorOptions = {},
  ) {
    this.#store = store
    this.#urls = urls
    this.#waitMs = waitMs
    this.#instrument = instrument
    this.#versions = versions
    this.#kept = kept
    this.#turns = new LoopTurns(leavesTurn)
  }

  /** Checks the input and runs the operation. */
  async execute<I extends InputSchema, T>(
    operation: PlainRead<I, T>,
    input: NoInfer<z.input<I>>,
    options?: RunOptions,
  ): Promise<ReadResult<T>> {
    return this.run(operation, await this.parse(operation, input), options)
  }

  /** Checks what a caller sent. A refused input is measured as a failed run of the operation. */
  async parse<I extends InputSchema>(operation: PlainRead<I>, input: unknown): Promise<z.output<I>> {
    const check = () => operation.input.safeParse(input)
    const parsed = isOwn(operation) ? await namingFailures(operation, async () => asOwnCode(operation, check)) : check()
    return parsed.success ? parsed.data : this.#instrument(operation.name, () => Promise.reject(validationError(parsed.error)))
  }

  /** Runs the operation with input that {@link parse} has checked. */
  run<I extends InputSchema, T>(operation: PlainRead<I, T>, parsed: z.output<I>, options: RunOptions = {}): Promise<ReadResult<T>> {
    return this.#instrument(operation.name, () => this.#run(operation, parsed, options))
  }

  async #run<I extends InputSchema, T>(
    operation: PlainRead<I, T>,
    parsed: z.output<I>,
    { wait, caller, dependencies }: RunOptions,
  ): Promise<ReadResult<T>> {
    if (wait === undefined) await this.#turns.take(caller ?? '')
    else await this.#waitForPosition(operation.models, wait, caller ?? '')
    // A caller that waited for a position may have reached it after the versions were read.
    const read = () => this.#read(operation, parsed, dependencies, wait === undefined)
    return isOwn(operation) ? namingFailures(operation, () => inPlace(read)) : read()
  }

  async #read<I extends InputSchema, T>(
    operation: PlainRead<I, T>,
    parsed: z.output<I>,
    dependencies: ReadDependencies | undefined,
    mayShare: boolean,
  ): Promise<ReadResult<T>> {
    const { locale } = parsed
    const localizer = new Localizer(typeof locale === 'string' ? locale : DEFAULT_LOCALE)
    const snapshot = (mayShare ? this.#versions?.moment() : null) ?? (await this.#store.snapshot(operation.models))
    try {
      const versions = operation.models.map((name) => versionOf(name, snapshot.model(name)))
      // Before the operation runs, because a 404 is an answer from these versions, too.
      await this.#versions?.noticeRead(versions)
      const subjects = new Set<string>()
      const model = (name: string) => {
        const view = snapshot.model(name)
        const version = versions.find((one) => one.model === name)
        // A shared moment has all models, but an answer depends on those that are declared.
        if (version === undefined) throw new Error(`${operation.name} reads ${name}, which it does not declare`)
        const reads = this.#kept?.over(view, version) ?? view
        return trackSubjects(dependencies?.track(reads) ?? reads, subjects)
      }
      const context = { model, versionOf: (name: string) => versionIn(snapshot, name), localizer, urls: this.#urls }
      const data = await operation.run(context, parsed)
      const position = Math.min(...versions.map((version) => version.position)) as Position
      return { data, position, languages: localizer.languages, subjects, versions }
    } catch (error) {
      const isOutdated = (name: string) => (operation.versions?.get(name) ?? versionIn(snapshot, name)) !== versionIn(snapshot, name)
      const isAnswer = error instanceof ServiceError && error.error !== 'internal_error'
      const outdated = isAnswer ? undefined : operation.models.find(isOutdated)
      throw outdated === undefined ? error : new ModelUnavailableError(outdated, error)
    } finally {
      snapshot.release()
    }
  }

  async #waitForPosition(models: readonly string[], wait: Wait, caller: string): Promise<void> {
    const { position, signal } = wait
    wait.deadline ??= Date.now() + this.#waitMs
    for (;;) {
      const hasReached = (await this.#lowestPosition(models)) >= position
      if (hasReached) await this.#turns.take(caller)
      if (hasReached && !signal?.aborted) return
      const left = wait.deadline - Date.now()
      if (left <= 0 || signal?.aborted) throw new PositionNotReachedError(position)
      await this.#waitForChange(left, signal)
    }
  }

  /** A change wakes all that wait: they share a look that begins after the last of them has asked. */
  #lowestPosition(models: readonly string[]): Promise<number> {
    const key = models.join()
    const look = this.#looks.get(key) ?? nextTurn().then(() => this.#look(key, models))
    this.#looks.set(key, look)
    return look
  }

  async #look(key: string, models: readonly string[]): Promise<number> {
    this.#looks.delete(key)
    const snapshot = await this.#store.snapshot(models)
    try {
      return Math.min(...models.map((name) => snapshot.model(name).checkpoint.position))
    } finally {
      snapshot.release()
    }
  }

  #waitForChange(atMostMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, atMostMs)
      signal?.addEventListener('abort', done)
      const stop = this.#store.onChange(done)
    })
  }
}

const versionIn = (snapshot: Snapshot, name: string): number => snapshot.model(name).generation.version

const namingFailures = <T>({ name }: Pick<PlainRead, 'name'>, run: () => Promise<T>): Promise<T> =>
  run().catch((error) => {
    throw ownFailure(name, error)
  })

const validationError = ({ issues }: z.ZodError): ServiceError =>
  schemaError(
    'validation_failed',
    issues.map((issue) => ({ path: issue.path, message: messageOf(issue) })),
  )

/** A query string is all text, so "received string" would not help the caller. */
const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  number: 'must be a whole number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
}

function messageOf(issue: z.core.$ZodIssue): string {
  const inWords = issue.code === 'invalid_type' ? TYPE_MESSAGES[issue.expected] : undefined
  if (inWords !== undefined) return inWords
  return issue.message.replace(/^Invalid (input|option|string): ?/, '')
}
