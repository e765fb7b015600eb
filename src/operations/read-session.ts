import type { z } from 'zod'
import { ServiceError } from '../contract/errors.js'
import type { InputSchema, Operation } from '../contract/operation.js'
import type { ReadExecutor } from './read-executor.js'
import { WordsRead } from './words-read.js'

/** The reads that one page or one answer is made of. Remembers how new they were and in which languages they came. */
export class ReadSession {
  readonly #executor: ReadExecutor
  readonly #locale: string
  readonly #words: WordsRead
  readonly #languages = new Set<string>()

  /** `words` collects whose words are read. */
  constructor(executor: ReadExecutor, locale: string, words = new WordsRead()) {
    this.#executor = executor
    this.#locale = locale
    this.#words = words
  }

  /** Reads in the session's language unless the input names another. */
  async read<I extends InputSchema, O extends z.ZodType>(operation: Operation<I, O>, input: NoInfer<z.input<I>>): Promise<z.output<O>> {
    const result = await this.#executor.execute(operation, 'locale' in operation.input.shape ? { locale: this.#locale, ...input } : input)
    this.#words.add(result)
    for (const language of result.languages) this.#languages.add(language)
    return result.data
  }

  /** Null for what does not exist, and for a name that cannot exist. */
  async find<I extends InputSchema, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: NoInfer<z.input<I>>,
  ): Promise<z.output<O> | null> {
    try {
      return await this.read(operation, input)
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 404 || error.status === 422)) return null
      throw error
    }
  }

  /** For reads that the answer's position and subjects must not depend on. */
  separate(): ReadSession {
    return new ReadSession(this.#executor, this.#locale)
  }

  /** The lowest position among everything read; null before the first read. */
  get position(): WordsRead['position'] {
    return this.#words.position
  }

  get languages(): string[] {
    return [...this.#languages]
  }
}
