import { deepStrictEqual, equal } from 'node:assert/strict'
import type { z } from 'zod'
import type { OwnModels, Read } from '../compose/models/define-models.js'
import { modelSet } from '../compose/models/model-set.js'
import { publicName } from '../compose/models/own-reads.js'
import { withScratchStore } from '../compose/stores.js'
import { ServiceError } from '../contract/errors.js'
import type { InputSchema } from '../contract/operation.js'
import { PublicUrls } from '../contract/public-urls.js'
import type { Projection } from '../engine/definition/projection.js'
import { didYouMean, nearestWord } from '../lib/nearest-word.js'
import { ReadExecutor } from '../operations/read-executor.js'
import type { LogRecord } from '../ports/event-log.js'
import { type Documents, fold, foldLive } from './fold.js'
import { type Happened, toRecords } from './happened.js'

/** By collection: these are all its documents, each with at least these fields. */
export type Expected = Record<string, Record<string, object>>

/** What a spec is about: all models of a package, or one projection. */
export type Subject = OwnModels | Projection

/** Models that break a rule are refused, as when they are served. */
export function projectionsOf(subject: Subject): readonly Projection[] {
  if (!('models' in subject)) return [subject]
  modelSet([subject])
  return subject.models.map(({ projection }) => projection)
}

/**
 * Specs of models: `given(models, …events).when(…events).then(documents)`, folded by the real engine. Every spec also runs with each
 * event delivered twice, cut into batches at every place, one event at a time, backwards and shuffled. All of them must leave the same
 * documents. `.answers(read, input, answer)` asks a read as a caller does, for an answer with at least these fields, or with `null` for a
 * 404, and returns the whole answer.
 */
export function given(subject: Subject, ...before: readonly Happened[]) {
  const spec = (events: readonly Happened[]) => ({
    // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of a spec
    then: function then(expected: Expected): Promise<void> {
      return atSpec(then, () => check(subject, events, expected))
    },
    answers: function answers<I extends InputSchema, O extends z.ZodType>(read: Read<I, O>, input: Input, answer: unknown) {
      // The executor has checked it against the read's output. A 404 is expected as `null`.
      return atSpec(answers, () => ask(subject, events, read, input, answer) as Promise<z.output<O>>)
    },
  })
  return { ...spec(before), when: (...events: readonly Happened[]) => spec([...before, ...events]) }
}

async function check(subject: Subject, events: readonly Happened[], expected: Expected): Promise<void> {
  if (typeof expected !== 'object') throw new Error('a spec ends with .then({ collection: { id: document } })')
  const records = toRecords(events)
  assertSequences(records)
  await withScratchStore(async (store) => {
    const all: Documents = {}
    for (const projection of projectionsOf(subject)) {
      const documents = await fold(store, projection, [records])
      for (const [how, batches] of deliveries(records)) {
        const others = await fold(store, projection, batches)
        deepStrictEqual(
          others,
          documents,
          `${how} leaves other documents than all at once, in order (if no rule explains it, a function reads a clock, or chance)`,
        )
        equal(JSON.stringify(others), JSON.stringify(documents), `${how} leaves the fields in another order`)
      }
      Object.assign(all, documents)
    }
    compare(all, expected)
  })
}

/** Which of two counts would depend on their order. */
function assertSequences(records: readonly LogRecord[]): void {
  const all = records.map(({ subject, payload }) => `${subject} have sequence ${JSON.parse(payload).sequence}`)
  const twice = all.find((each, i) => all.indexOf(each) < i)
  if (twice !== undefined) throw new Error(`two events of ${twice}`)
}

type Input = Readonly<Record<string, unknown>>

async function ask(subject: Subject, events: readonly Happened[], read: Pick<Read, 'name'>, input: Input, answer: unknown) {
  if (!('models' in subject)) throw new Error('answers are asked of what defineModels() returns')
  const { reads, projections } = modelSet([subject])
  const operation = reads.find(({ name }) => name === publicName(subject.namespace, read.name))
  if (operation === undefined) throw new Error(`these models have no read "${read.name}"`)
  const unknown = Object.keys(input).find((name) => !(name in operation.input.shape))
  if (unknown !== undefined)
    throw new Error(`${read.name} has no input "${unknown}"${didYouMean(nearestWord(unknown, Object.keys(operation.input.shape)))}`)
  const answerTo = (records: readonly LogRecord[]) =>
    withScratchStore(async (store) => {
      for (const projection of projections) if (operation.models.includes(projection.name)) await foldLive(store, projection, [records])
      const { data } = await new ReadExecutor(store, new PublicUrls('vitrine.example')).execute(operation, input).catch(nullIfNotFound)
      return data
    })
  const records = toRecords(events)
  const found = await answerTo(records)
  deepStrictEqual(within(found, answer), answer, `the answer of ${read.name}${found === null ? ', a 404' : ''}`)
  deepStrictEqual(await answerTo(backwards(records)), found, `the answer of ${read.name} after the events backwards is another`)
  return found
}

function nullIfNotFound(error: unknown): { data: null } {
  if (error instanceof ServiceError && error.error === 'not_found') return { data: null }
  throw error
}

function compare(documents: Documents, expected: Expected): void {
  for (const [collection, byId] of Object.entries(expected)) {
    const found = documents[collection]
    if (found === undefined) throw new Error(`there is no collection "${collection}", only ${Object.keys(documents).join(', ')}`)
    deepStrictEqual(Object.keys(found).sort(), Object.keys(byId).sort(), `the documents of ${collection}`)
    for (const [id, fields] of Object.entries(byId)) deepStrictEqual(within(found[id], fields), fields, `${collection}/${id}`)
  }
}

/** Of what was found, the fields that are expected. Lists are compared as a whole. */
function within(found: unknown, expected: unknown): unknown {
  if (Array.isArray(found) && Array.isArray(expected)) return found.map((each, i) => within(each, expected[i]))
  if (!isObject(found) || !isObject(expected)) return found
  return Object.fromEntries(Object.keys(expected).flatMap((name) => (name in found ? [[name, within(found[name], expected[name])]] : [])))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Batches = LogRecord[][]

/** Other ways in which the same events may come. */
function* deliveries(records: readonly LogRecord[]): Generator<[how: string, batches: Batches]> {
  yield ['every event twice', [records.flatMap((record) => [record, record])]]
  yield ['one event at a time', records.map((record) => [record])]
  for (let cut = 1; cut < records.length; cut++) yield [`cut after event ${cut}`, [records.slice(0, cut), records.slice(cut)]]
  for (const order of orders(records.length)) yield [`in the order ${order.map((i) => i + 1).join(', ')}`, [inOrder(records, order)]]
  yield ['one event at a time, backwards', backwards(records).map((record) => [record])]
}

/** The last event first. */
const backwards = (records: readonly LogRecord[]): LogRecord[] => inOrder(records, [...records.keys()].reverse())

const SHUFFLES = 8

/** Backwards, and some others, the same in every run. */
function orders(length: number): number[][] {
  const all = [...Array(length).keys()]
  const shuffled = Array.from({ length: SHUFFLES }, (_, seed) => all.toSorted((a, b) => noise(seed, a) - noise(seed, b)))
  const others = new Map([all.toReversed(), ...shuffled].map((order) => [order.join(), order]))
  others.delete(all.join())
  return [...others.values()]
}

/** A number that looks like chance. */
const noise = (seed: number, i: number): number => (Math.sin(seed * 101 + i * 37 + 1) * 10_000) % 1

/** Positions grow in every log. */
const inOrder = (records: readonly LogRecord[], order: readonly number[]): LogRecord[] =>
  order.flatMap((from, to) => {
    const [record, place] = [records[from], records[to]]
    return record === undefined || place === undefined ? [] : [{ ...record, position: place.position }]
  })

/** What fails in `work` names the line of the spec that called `from`, before those of ours. Of a read, only that line may be known. */
export async function atSpec<T>(from: (...args: never[]) => unknown, work: () => Promise<T>): Promise<T> {
  const called = { stack: '' }
  Error.captureStackTrace(called, from)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) error.stack = `${error.name}: ${error.message}${framesOf(called)}${framesOf(error)}`
    throw error
  }
}

const framesOf = ({ stack = '' }: { stack?: string }): string => /\n +at .*/s.exec(stack)?.[0] ?? ''
