import type { z } from 'zod'
import { ServiceError } from '../contract/errors.js'
import { DEFAULT_LOCALE, Localizer } from '../contract/locale.js'
import type { Operation } from '../contract/operation.js'
import type { PublicUrls } from '../contract/public-urls.js'
import type { Position } from '../events/index.js'
import type { DocumentStore } from '../ports/document-store.js'
import { type ModelVersion, type ModelVersions, versionOf } from './cache/model-versions.js'
import type { ReadDependencies } from './cache/read-dependencies.js'

export interface ReadResult {
  data: unknown
  /** The lowest position among the models that were read: everything up to here is in the answer. */
  position: Position
  languages: string[]
  /** Of the models, as they were read. */
  versions: readonly ModelVersion[]
}

/** Sees an operation from its beginning to its end. */
export type InstrumentOperation = <T>(name: string, run: () => Promise<T>) => Promise<T>

export interface ReadExecutorOptions {
  /** How long a reader may wait for a position. */
  waitMs?: number
  instrument?: InstrumentOperation
  /** Hears which versions of the models have been read, before anybody gets to see the answer. */
  versions?: Pick<ModelVersions, 'noticeRead'>
}

/** Runs operations against the read models. What every surface has in common. */
export class ReadExecutor {
  readonly #store: DocumentStore
  readonly #urls: PublicUrls
  readonly #waitMs: number
  readonly #instrument: InstrumentOperation
  readonly #versions: Pick<ModelVersions, 'noticeRead'> | undefined

  constructor(
    store: DocumentStore,
    addresses: PublicUrls,
    { waitMs = 2000, instrument = (_name, run) => run(), versions }: ReadExecutorOptions = {},
  ) {
    this.#store = store
    this.#urls = addresses
    this.#waitMs = waitMs
    this.#instrument = instrument
    this.#versions = versions
  }

  /**
   * `input` is whatever the caller sent; `minPosition` waits, within bounds, until the models have come that far;
   * `footprint` takes down what is read.
   */
  execute(operation: Operation, input: unknown, minPosition?: Position, dependencies?: ReadDependencies): Promise<ReadResult> {
    return this.#instrument(operation.name, () => this.#execute(operation, input, minPosition, dependencies))
  }

  async #execute(operation: Operation, input: unknown, minPosition?: Position, dependencies?: ReadDependencies): Promise<ReadResult> {
    const parsed = parseInput(operation, input)
    if (minPosition !== undefined) await this.#waitForPosition(operation, minPosition)
    const locale = parsed.locale
    const localizer = new Localizer(typeof locale === 'string' ? locale : DEFAULT_LOCALE)
    const snapshot = await this.#store.snapshot(operation.models)
    try {
      const versions = operation.models.map((name) => versionOf(name, snapshot.model(name)))
      // Before it is run: that somebody is not there is an answer, too.
      await this.#versions?.noticeRead(versions)
      const model = (name: string) => dependencies?.track(snapshot.model(name)) ?? snapshot.model(name)
      const data = await operation.run({ model, localizer, urls: this.#urls }, parsed)
      const position = Math.min(...versions.map((version) => version.position)) as Position
      return { data, position, languages: localizer.languages, versions }
    } finally {
      snapshot.release()
    }
  }

  async #waitForPosition({ models }: Operation, position: Position): Promise<void> {
    const deadline = Date.now() + this.#waitMs
    while (!(await this.#hasReached(models, position))) {
      const left = deadline - Date.now()
      if (left <= 0) throw new ServiceError('timeout', `The models have not reached position ${position} yet.`, { retryAfterS: 1 })
      await this.#waitForChange(left)
    }
  }

  async #hasReached(models: readonly string[], position: Position): Promise<boolean> {
    const snapshot = await this.#store.snapshot(models)
    try {
      return models.every((name) => snapshot.model(name).checkpoint.position >= position)
    } finally {
      snapshot.release()
    }
  }

  #waitForChange(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, atMostMs)
      const stop = this.#store.onChange(done)
    })
  }
}

function parseInput(operation: Operation, input: unknown): Record<string, unknown> {
  const parsed = operation.input.safeParse(input)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: messageOf(issue) }))
  throw new ServiceError('validation_failed', details.map(({ path, message }) => `${path}: ${message}`).join('; '), { details })
}

/** Query strings are text, whatever they say: "received string" would tell their sender nothing. */
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
