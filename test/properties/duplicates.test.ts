/** Semantics 3: a sequence that is not above the last one applied is a duplicate, and changes nothing. */
import fc from 'fast-check'
import t from 'tap'
import { projections } from '../../src/compose/models.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { cuts, loading, logs, withCopies } from '../reference-model/arbitrary-log.js'
import { type Dump, sameDump } from '../support/dump.js'
import { project } from '../support/project-log.js'
import { holds } from '../support/property.js'

// Not with poison: what is parked waits in line, the same event twice if it came twice.
const onceAndTwice = logs().chain((log) => fc.tuple(fc.constant(log), withCopies(log)))

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: an event delivered again changes nothing, with batches of any size`,
    fc.tuple(onceAndTwice, cuts, loading),
    async ([[once, twice], cut, load]) =>
      sameDump(
        uncounted(projection, await project(projection, twice.records, { cut, loading: load })),
        uncounted(projection, await project(projection, once.records)),
      ),
  )
}

/** Counting duplicates is what the integrity projection is for. */
function uncounted({ name }: Projection, dump: Dump): Dump {
  if (name !== 'integrity') return dump
  return new Map([...dump].map(([key, text]) => [key, JSON.stringify({ ...JSON.parse(text), duplicates: 0 })]))
}
