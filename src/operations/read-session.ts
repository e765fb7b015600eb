import type { z } from 'zod'
import { ServiceError } from '../contract/errors.js'
import type { InputSchema, PlainRead } from '../contract/operation.js'
import type { ReadExecutor } from './read-executor.js'
import { WordsRead } from './words-read.js'

export interface ReadSessionOptions {
  /** Collects whose words are read. */
  wordsRead?: WordsRead | undefined
  /** For whom it reads. */
  caller?: string | null | undefined
}

/** The reads that one page or one answer is made of. Remembers how new they were and in which languages they came. */
export class ReadSession {
  readonly #executor: ReadExecutor
  readonly #locale: string
  readonly #words: WordsRead
  readonly #caller: string | null
  readonly #languages = new Set<string>()

  constructor(executor: ReadExecutor, locale: string, { wordsRead = new WordsRead(), caller = null }: ReadSessionOptions = {}) {
    this.#executor = executor
    this.#locale = locale
    this.#words = wordsRead
    this.#caller = caller
  }

  /** Reads in the session's language unless the input names another. */
  async read<I extends InputSchema, T>(operation: PlainRead<I, T>, input: NoInfer<z.input<I>>): Promise<T> {
    const localized = 'locale' in operation.input.shape ? { locale: this.#locale, ...input } : input
    const result = await this.#executor.execute(operation, localized, { caller: this.#caller })
    this.#words.add(result)
    for (const language of result.languages) this.#languages.add(language)
    return result.data
  }

  /** Null for what does not exist, and for a name that cannot exist. */
  async find<I extends InputSchema, T>(operation: PlainRead<I, T>, input: NoInfer<z.input<I>>): Promise<T | null> {
    try {
      return await this.read(operation, input)
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 404 || error.status === 422)) return null
      throw error
    }
  }

  /** For reads that the answer's position and subjects must not depend on. */
  separate(): ReadSession {
    return new ReadSession(this.#executor, this.#locale, { caller: this.#caller })
  }

  /** The lowest position among everything read; null before the first read. */
  get position(): WordsRead['position'] {
    return this.#words.position
  }

  get languages(): string[] {
    return [...this.#languages]
  }
}
