/** Semantics 3: an event that has been applied changes nothing when it comes again. */
import fc from 'fast-check'
import t from 'tap'
import type { Projection } from '../../src/engine/definition/projection.js'
import { anyLog, cuts, type Log, loading, withCopies } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { decode } from '../support/decode.js'
import { type Dump, sameDump } from '../support/dump.js'
import { project } from '../support/project-log.js'
import { holds } from '../support/property.js'

const onceAndTwice = anyLog.chain((log) => fc.tuple(fc.constant(log), withCopies(log)))

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: an event delivered again changes nothing, with batches of any size`,
    fc.tuple(onceAndTwice, cuts, loading),
    async ([[once, twice], cut, load]) =>
      sameDump(
        uncounted(projection, await project(projection, twice.records, { cut, loading: load })),
        uncounted(projection, await project(projection, withoutCopies(once, twice))),
      ),
  )
}

/** Poison that comes twice is two dead letters, so its copies stay. */
function withoutCopies(once: Log, twice: Log) {
  const ids = new Set(once.records.map(({ id }) => id))
  return twice.records.filter((record) => ids.has(record.id) || decode(record).outcome === 'poison')
}

/** Counting duplicates is what the integrity projection is for. */
function uncounted({ name }: Projection, dump: Dump): Dump {
  if (name !== 'integrity') return dump
  return new Map([...dump].map(([key, text]) => [key, JSON.stringify({ ...JSON.parse(text), duplicates: 0 })]))
}
