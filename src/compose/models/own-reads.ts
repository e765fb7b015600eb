import type { z } from 'zod'
import { invalid, ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import { asOurCode, asOwnCode } from '../../operations/own-code.js'
import { aroundReads } from '../../ports/around-reads.js'
import { findIndex, findQueriedIndex } from '../../ports/collection.js'
import type { Collection, ModelReads, RangeQuery, SearchQuery } from '../../ports/document-store.js'
import { CARD_MODEL, withCards } from './cards.js'
import { firstIssue, type OwnModels, type Read } from './define-models.js'
import type { Example, ExampleDocuments } from './folded-examples.js'

/** Where own public reads lie. All of it counts against the limit of public reads. */
export const ownPath = (namespace: string): string => `/public/share/x/${namespace}`

/** What the names of their schemas begin with. */
export const schemaPrefix = (namespace: string): string => `X${upperFirst(namespace)}`

/** A custom read within its namespace, as every surface serves it. */
export function publicRead({ namespace, models: own }: OwnModels, model: string, declared: Read, examples: ExampleDocuments): Operation {
  const { name: ownName, path, models = [model], cards = {}, ...read } = declared
  const name = publicName(namespace, ownName)
  const collectionsOf = (each: string) => own.find(({ projection }) => projection.name === each)?.projection.collections ?? []
  return {
    ...read,
    description: read.description ?? `${read.summary}.`,
    example: exampleOf(declared, examples),
    name,
    operationId: camelCase(name),
    path: `${ownPath(namespace)}${path}`,
    tag: `x-${namespace}`,
    models: Object.keys(cards).length === 0 ? models : [...models, CARD_MODEL],
    versions: new Map(own.map(({ projection }) => [projection.name, projection.version])),
    async run(context, input) {
      let isOver = false
      const view = (each: string) => ownView(context.model(each), { model: each, collections: collectionsOf(each), isOver: () => isOver })
      const answer = () => beforeDeadline(name, declared.run({ ...context, model: view }, input, model))
      const withOurs = async () => {
        const own = await answer()
        return asOurCode(() => withCards(context, cards, own))
      }
      try {
        return await asOwnCode({ name, models }, async () => checkedAnswer(name, read.output, await withOurs()))
      } finally {
        isOver = true
      }
    },
  }
}

export const exampleOf = ({ example }: Read, examples: ExampleDocuments): Example =>
  typeof example === 'function' ? example(examples) : example

/** The name of its tool and batch operation. */
export const publicName = (namespace: string, name: string): string => `x_${namespace}_${name}`

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const camelCase = (name: string): string =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : upperFirst(word)))
    .join('')

/** An answer is sent, cached and compressed as a whole. */
const MAX_BYTES = 1024 * 1024

/** Only what the published schema shows: a read may return a whole document. */
export function checkedAnswer(name: string, output: z.ZodType, data: unknown): unknown {
  const parsed = output.safeParse(data)
  if (!parsed.success) throw new Error(`the answer of ${name} does not match its output: ${firstIssue(parsed.error)}`)
  // Parsed again: a getter or toJSON() may answer differently the next time.
  return JSON.parse(boundedJson(parsed.data, () => new ServiceError('internal_error', `The answer of ${name} is longer than 1 MB.`)))
}

/** Ends where the limit is reached, so that a text far beyond it is never made. */
function boundedJson(data: unknown, tooLong: () => ServiceError): string {
  let least = 0
  const text = JSON.stringify(data, function (this: unknown, key: string, value: unknown) {
    // A comma and one more character for each.
    if (value !== undefined) least += 2 + (Array.isArray(this) ? 0 : key.length) + (typeof value === 'string' ? value.length : 0)
    if (least > MAX_BYTES) throw tooLong()
    return value
  })
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLong()
  return text
}

interface OwnViewOptions {
  model: string
  /** Those that the model declares. */
  collections: readonly Collection[]
  /** The answer was given up. */
  isOver: () => boolean
}

/** A model as custom reads see it. Async, so that a rejection that own code does not await is own code's. */
const ownView = (view: ModelReads, { model, collections, isOver }: OwnViewOptions): ModelReads =>
  aroundReads(view, async ({ collection, ids = [], query, atMost = 0, filter, among = [] }, read) => {
    // The snapshot belongs to another reader by now.
    if (isOver()) throw new Error('the answer was given up: nothing more can be read for it')
    // What a collection that is not declared says of whose words it shows was never checked.
    for (const { name } of [collection, filter?.collection ?? collection].filter((each) => !collections.includes(each)))
      throw new Error(`the model "${model}" does not declare this collection "${name}": read with the one in its projection`)
    texts(ids)
    texts(among)
    whole(atMost)
    if (query !== undefined) plain(collection, query)
    if (filter !== undefined) plain(filter.collection, filter.query)
    return asOurCode(read)
  })

/** Values are compared, never interpreted: an object from a caller could hold operators of the store. */
function plain(collection: Collection, query: Partial<RangeQuery & SearchQuery> & { index: string }): void {
  const { index, equals = [], after = [], startsWith = '', terms, prefix = '', limit = 0 } = query
  texts([startsWith, prefix ?? '', ...(terms ?? [])])
  if (![...equals, ...after].every((value) => typeof value === 'number' || typeof value === 'string')) throw invalid('input', NO_SCALAR)
  const asked = () => (terms === undefined ? findQueriedIndex(collection, { index, equals }) : findIndex(collection, index))
  const open = (index === '_id' ? 0 : asked().fields.length) - equals.length
  // Any other number would move the values after them, such as the limit. An entry ends with its id.
  if (open < 0 || (query.after !== undefined && after.length !== open + 1)) throw invalid('input', 'not as many values as the index has')
  whole(limit)
}

function whole(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw invalid('limit', 'must be a whole number')
}

function texts(values: readonly string[]): void {
  if (!values.every((value) => typeof value === 'string')) throw invalid('input', NO_SCALAR)
}

const NO_SCALAR = 'only strings and numbers can be looked up'

/** Well below the time after which a connection is cut: a read that never ends must not hold its place for that long. */
const DEADLINE_MS = 5000
/** After a removal. A read's snapshot keeps removed words in SQLite's write-ahead log, and its answer may hold them. */
const REMOVAL_DEADLINE_MS = 1000

const shortenings = new Set<() => void>()

/** The answer of a custom read; a rejection if it takes too long. */
function beforeDeadline<T>(name: string, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const startedAt = performance.now()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      shortenings.delete(shorten)
      settle()
    }
    const giveUp = (why: string) => end(() => reject(new ServiceError('timeout', `${name} ${why}.`, { retryAfterS: 1 })))
    let timer = setTimeout(giveUp, DEADLINE_MS, `took longer than ${DEADLINE_MS / 1000} seconds`)
    const shorten = () => {
      clearTimeout(timer)
      const leftMs = Math.max(0, startedAt + REMOVAL_DEADLINE_MS - performance.now())
      timer = setTimeout(giveUp, leftMs, 'was given up, because something was removed while it ran')
    }
    shortenings.add(shorten)
    work.then(
      (answer) => end(() => resolve(answer)),
      (error) => end(() => reject(error)),
    )
  })
}

/** Something was removed: custom reads that run get a second in all. */
export function shortenDeadlines(): void {
  for (const shorten of shortenings) shorten()
}
