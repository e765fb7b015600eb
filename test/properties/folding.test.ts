/** Semantics 1, 2, 3, 14, 15, 16: the documents depend on the log, and on nothing about how it was read. */
import fc from 'fast-check'
import t from 'tap'
import { projections } from '../../projections/index.js'
import type { Projection } from '../../src/projector/definition.js'
import { choices, interleaved, type Log, logs, withCopies, withPoison } from '../model/arbitrary-log.js'
import { projectInOrder } from '../support/any-order.js'
import { type Dump, sameDump } from '../support/dump.js'
import { type Crash, project } from '../support/harness.js'

const RUNS = 120

const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
const loading = fc.constantFrom(0, 1, 3, Number.POSITIVE_INFINITY)
const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, 'before', 'after'), { minLength: 1, maxLength: 20 })
/** Half of them with poison in it: parked aggregates must not depend on how the log was read either. */
const anyLog: fc.Arbitrary<Log> = fc.oneof(logs(), logs().chain(withPoison))

for (const projection of projections) {
  await t.test(projection.name, async (t) => {
    await holds(
      t,
      'any cut into batches gives the same documents, loading or live',
      fc.tuple(anyLog, cuts, loading),
      async ([log, cut, load]) =>
        sameDump(await project(projection, log.records, { cut, loading: load }), await project(projection, log.records)),
    )

    await holds(
      t,
      'a crash at any commit, and a start after it, gives the same documents',
      fc.tuple(anyLog, cuts, loading, crashes),
      async ([log, cut, load, plan]) =>
        sameDump(await project(projection, log.records, { cut, loading: load, crashes: plan }), await project(projection, log.records)),
    )

    await holds(
      t,
      'any order of reading that keeps the order of each aggregate gives the same documents',
      fc.tuple(anyLog, choices, fc.integer({ min: 1, max: 20 })),
      async ([log, chosen, batch]) =>
        sameDump(await projectInOrder(projection, interleaved(log.records, chosen), batch), await project(projection, log.records)),
    )

    await holds(
      t,
      'an event delivered again changes nothing, wherever the log is cut',
      fc.tuple(
        logs().chain((log) => fc.tuple(fc.constant(log), withCopies(log))),
        cuts,
        loading,
      ),
      async ([[log, twice], cut, load]) =>
        sameDump(
          uncounted(projection, await project(projection, twice.records, { cut, loading: load })),
          uncounted(projection, await project(projection, log.records)),
        ),
    )
  })
}

async function holds<T>(t: Tap, name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> {
  await t.test(name, () => fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: RUNS }))
}

type Tap = typeof t extends { test: infer F } ? { test: F } : never

/** Counting duplicates is what the integrity projection is for. */
function uncounted({ name }: Projection, dump: Dump): Dump {
  if (name !== 'integrity') return dump
  return new Map([...dump].map(([key, text]) => [key, JSON.stringify({ ...JSON.parse(text), duplicates: 0 })]))
}
