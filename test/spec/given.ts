/**
 * Specs of projections: `given(events).when(events).then(t, documents)`, over the real engine and store. Every spec
 * runs in all the ways of DELIVERIES, and all of them must end in the same documents.
 */
import type { Test } from 'tap'
import { type Projection, strict } from '../../src/engine/definition/projection.js'
import type { Collection, Doc } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import type { Told } from './events.js'
import { type Dump, World } from './world.js'

export interface ProjectingOptions {
  /** The projection counts duplicates, so running every event twice changes its documents. */
  countsDuplicates?: boolean
}

export function projecting(projection: Projection, options: ProjectingOptions = {}) {
  const spec = (given: readonly Told[], when: readonly Told[]) => ({
    // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of a spec; this object is never awaited
    then: (t: Test, ...expected: readonly Expectation[]) => run(t, projection, options, given, when, expected),
  })
  return {
    given: (...given: readonly Told[]) => ({
      when: (...when: readonly Told[]) => spec(given, when),
      ...spec(given, []),
    }),
    when: (...when: readonly Told[]) => spec([], when),
  }
}

/** Specs are about the documents after a run, so an expectation may look at all of them. */
export type Expectation = (t: Test, world: World) => Promise<unknown>

type Partly<D> = D extends unknown ? Partial<D> : never

/** These documents are there, with at least these fields; `null` for one that must not exist. */
export function holds<D extends Doc>(collection: Collection<D>, expected: Record<string, Partly<D> | null>): Expectation {
  return async (t, world) => {
    for (const [id, fields] of Object.entries(expected)) {
      const doc = await world.doc(collection, id)
      if (fields === null) t.equal(doc, undefined, `${collection.name}/${id} does not exist`)
      else if (doc === undefined) t.fail(`${collection.name}/${id} is missing`)
      else t.strictSame(pick(doc, Object.keys(fields)), fields, `${collection.name}/${id}`)
    }
  }
}

/** These are all documents of the collection. */
export function only<D extends Doc>(collection: Collection<D>, expected: Record<string, Partly<D>>): Expectation {
  return async (t, world) => {
    const ids = (await world.all(collection)).map((doc) => doc._id)
    t.strictSame(ids, Object.keys(expected).sort(), `${collection.name} holds nothing else`)
    await holds(collection, expected)(t, world)
  }
}

/** What an index lists, in its order. */
export function lists(
  collection: Collection,
  index: string,
  equals: readonly (string | number)[],
  expected: readonly string[],
): Expectation {
  return async (t, world) => {
    t.strictSame(await world.ids(collection, { index, equals }), expected, `${collection.name} by ${index} of ${equals.join(', ')}`)
  }
}

function pick(doc: Doc, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(doc).filter(([key]) => keys.includes(key)))
}

type Delivery = (world: World, given: readonly LogRecord[], when: readonly LogRecord[]) => Promise<void>

const DELIVERIES: Record<string, Delivery> = {
  async 'in one go'(world, given, when) {
    if (given.length > 0) await world.deliver(given)
    await world.deliver(when)
  },
  async 'every event twice'(world, given, when) {
    const twice = (records: readonly LogRecord[]) => records.flatMap((record) => [record, record])
    if (given.length > 0) await world.deliver(twice(given))
    await world.deliver(twice(when))
  },
  /** Nothing is in memory from earlier events, which reveals a fold that does not name a document it needs. */
  async 'one by one, with a restart before each'(world, given, when) {
    for (const record of [...given, ...when]) {
      await world.restart()
      await world.deliver([record])
    }
  },
}

async function run(
  t: Test,
  projection: Projection,
  { countsDuplicates = false }: ProjectingOptions,
  given: readonly Told[],
  when: readonly Told[],
  expected: readonly Expectation[],
): Promise<void> {
  let first: Dump | undefined
  for (const [delivery, deliver] of Object.entries(DELIVERIES)) {
    const twice = delivery === 'every event twice'
    if (twice && countsDuplicates) continue
    await t.test(delivery, async (t) => {
      const world = await World.open(t, strict(projection))
      await deliver(world, world.script.write(...given), world.script.write(...when))
      for (const expectation of expected) await expectation(t, world)
      await nothingParked(t, world)
      if (twice) await everyCopySkipped(t, world)
      const dump = await world.dump()
      if (first === undefined) first = dump
      else sameBytes(t, dump, first)
    })
  }
}

/** The comparison of values shows what differs; the comparison of texts also notices another order of the fields. */
function sameBytes(t: Test, dump: Dump, first: Dump): void {
  t.strictSame(dump, first, 'leaves the same documents as the first way of delivering')
  t.equal(JSON.stringify(dump), JSON.stringify(first), 'to the byte')
}

async function nothingParked(t: Test, world: World): Promise<void> {
  const tallies = await world.tallies()
  t.notOk(tallies.parked, 'nothing is parked')
}

async function everyCopySkipped(t: Test, world: World): Promise<void> {
  const { applied = 0, removed = 0, duplicate = 0 } = await world.tallies()
  // At least: an event that names its sequence itself may be a duplicate to begin with.
  t.ok(duplicate >= applied + removed, `${duplicate} duplicates are counted for ${applied + removed} events`)
}
