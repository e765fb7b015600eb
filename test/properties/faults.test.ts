/** Semantics 5, 6: an event on which a fold fails changes nothing, and is parked like one that cannot be decoded. */
import fc from 'fast-check'
import t from 'tap'
import type { LogRecord } from '../../src/ports/event-log.js'
import { cuts, loading, logs } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { sameDump, withoutReasons } from '../support/dump.js'
import { type Fault, faultyProjection } from '../support/faulty-projection.js'
import { type Crash, project } from '../support/project-log.js'
import { holds } from '../support/property.js'

const fault = fc.constantFrom<Fault[]>('touches', 'apply', 'each', 'unfit')
const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, null, 'before', 'after'), { maxLength: 8 })

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: the documents are those of a log in which that event is unreadable`,
    fc.tuple(logs(), cuts, loading, crashes, fault, fc.integer({ min: 2, max: 5 })),
    async ([{ records }, cut, load, plan, where, every]) => {
      const broken = faultyProjection(projection, where, ({ sequence }) => sequence > 0 && sequence % every === 0)
      const actual = await project(broken.projection, records, { cut, loading: load, crashes: plan })
      // Cut short, a publication still says whom it names.
      const cutShort = (record: LogRecord) => ({ ...record, payload: record.payload.slice(0, -1) })
      const unreadable = records.map((record) => (broken.positions.has(record.position) ? cutShort(record) : record))
      sameDump(withoutReasons(actual), withoutReasons(await project(projection, unreadable)))
    },
  )
}
