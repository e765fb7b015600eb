import { deepStrictEqual } from 'node:assert/strict'
import type { z } from 'zod'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { ServiceError } from '../../src/contract/errors.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import type { EventOf, VitrineEvent } from '../../src/events/index.js'
import { ReadExecutor, type ReadExecutorOptions } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { projections, publicReads } from './built-in-models.js'
import { decode } from './decode.js'
import { memoryStore } from './memory-store.js'
import { Folding, type Run } from './project-log.js'

export const DOMAIN = 'vitrine.example'

/** All read models of a log, and the public operations on top of them. */
export class Models {
  readonly reader: Reader
  readonly #foldings: readonly Folding[]

  static async begin(run: Run = {}): Promise<Models> {
    const store = run.store ?? memoryStore()
    return new Models(store, await Promise.all(projections.map((projection) => Folding.begin(projection, { ...run, store }))))
  }

  private constructor(store: DocumentStore, foldings: readonly Folding[]) {
    this.reader = new Reader(store)
    this.#foldings = foldings
  }

  async through(records: readonly LogRecord[]): Promise<void> {
    for (const folding of this.#foldings) await folding.through(records)
  }

  async close(): Promise<void> {
    for (const folding of this.#foldings) await folding.close()
  }
}

/** The public operations over a store. */
export class Reader {
  readonly #operations: ReadExecutor

  constructor(store: DocumentStore, options?: ReadExecutorOptions) {
    this.#operations = new ReadExecutor(store, new PublicUrls(DOMAIN), options)
  }

  async feed(input: object): Promise<z.infer<typeof CommunityFeedPage>> {
    return CommunityFeedPage.parse(await this.ask('get_community_feed', input))
  }

  /** The answer, which must be exactly what the schema published for it says; null for a 404. */
  async ask(name: string, input: object = {}): Promise<unknown> {
    const operation = publicReads.find((candidate) => candidate.name === name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    try {
      const { data } = await this.#operations.execute(operation, { ...input })
      // Parsing drops what the schema does not know, so a field too many shows as well.
      deepStrictEqual(operation.output.parse(data), data, `${name} ${JSON.stringify(input)}`)
      return data
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return null
      throw error
    }
  }
}

/** The decoded events of a log, for the reference model, and the removals of creations by unreadable publications of the erased. */
export function eventsOf(records: readonly LogRecord[]): VitrineEvent[] {
  const all = records.map((record) => ({ record, decoded: decode(record) }))
  const events = all.flatMap(({ decoded }) => (decoded.outcome === 'event' ? [decoded.event] : []))
  const erased = new Set(events.flatMap(({ name, key }) => (name === 'creator.removed' ? [key] : [])))
  const unread = all.filter(({ decoded }) => decoded.outcome === 'poison' && erased.has(decoded.creatorId ?? ''))
  return [...events, ...unread.map(({ record }) => removalOf(record))]
}

function removalOf({ id, subject: aggregate, position }: LogRecord): VitrineEvent {
  const key = aggregate.slice('creation/'.length)
  // A key of a record is one that the schema accepts.
  const data = { creationId: key } as EventOf<'creation.removed'>['data']
  return { name: 'creation.removed', id, aggregate, kind: 'creation', key, sequence: 0, position, time: 0, data }
}
