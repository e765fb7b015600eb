/** Semantics 1: folds commute across aggregates. */
import fc from 'fast-check'
import t from 'tap'
import { projections } from '../../src/compose/models.js'
import { anyLog, choices, interleaved } from '../reference-model/arbitrary-log.js'
import { projectInOrder } from '../support/any-order.js'
import { sameDump } from '../support/dump.js'
import { project } from '../support/project-log.js'
import { holds } from '../support/property.js'

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: any order of reading that keeps the order of each aggregate gives the same documents`,
    fc.tuple(anyLog, choices, fc.integer({ min: 1, max: 20 })),
    async ([log, chosen, batch]) =>
      sameDump(await projectInOrder(projection, interleaved(log.records, chosen), batch), await project(projection, log.records)),
    400,
  )
}
