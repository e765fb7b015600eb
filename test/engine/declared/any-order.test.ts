/** Semantics 1, 15, 16: what is declared depends on which events the log holds, not on order, repetition, batches or crashes. */
import fc from 'fast-check'
import t from 'tap'
import { strict } from '../../../src/engine/definition/projection.js'
import { anyLog, cuts, loading, shuffled } from '../../reference-model/arbitrary-log.js'
import { projectInOrder } from '../../support/any-order.js'
import { sameDump } from '../../support/dump.js'
import { type Crash, project } from '../../support/project-log.js'
import { holds } from '../../support/property.js'
import { everything } from './everything.js'

const inAnyOrder = anyLog.chain((log) => fc.tuple(fc.constant(log), shuffled(log)))
const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, 'before', 'after'), { minLength: 1, maxLength: 20 })

await holds(
  t,
  'shuffled, repeated, cut and crashed, every register, edge, join and view gives the same documents',
  fc.tuple(inAnyOrder, fc.integer({ min: 1, max: 20 }), cuts, loading, crashes),
  async ([[log, order], batch, cut, load, plan]) => {
    const plain = await project(everything, log.records)
    sameDump(await projectInOrder(everything, order.records, batch), plain)
    sameDump(await project(everything, log.records, { cut, loading: load, crashes: plan }), plain)
    // Functions that get only what they name give the same.
    sameDump(await project(strict(everything), log.records, { cut }), plain)
  },
  1000,
)
