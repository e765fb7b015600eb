/** Semantics 1: documents depend on which events the log holds, not on the order in which they are folded. */
import fc from 'fast-check'
import t from 'tap'
import { anyLog, shuffled } from '../reference-model/arbitrary-log.js'
import { projectInOrder } from '../support/any-order.js'
import { projections } from '../support/built-in-models.js'
import { sameDump, withoutRecordOfArrivals } from '../support/dump.js'
import { project } from '../support/project-log.js'
import { holds } from '../support/property.js'

const inAnyOrder = anyLog.chain((log) => fc.tuple(fc.constant(log), shuffled(log)))

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: any order and any repetition of the same events gives the same documents, with poison too`,
    fc.tuple(inAnyOrder, fc.integer({ min: 1, max: 20 })),
    async ([[log, order], batch]) =>
      sameDump(
        withoutRecordOfArrivals(projection, await projectInOrder(projection, order.records, batch)),
        withoutRecordOfArrivals(projection, await project(projection, log.records)),
      ),
    400,
  )
}
