/** Semantics 14, 15, 16: whatever the batches, and after a crash at any moment, checkpoint and documents match, because they are written together. */
import fc from 'fast-check'
import t from 'tap'
import { anyLog, cuts, loading } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { sameDump } from '../support/dump.js'
import { type Crash, project } from '../support/project-log.js'
import { holds } from '../support/property.js'

const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, 'before', 'after'), { minLength: 1, maxLength: 20 })

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: any cut into batches, a crash at any commit and a start after it give the same documents`,
    fc.tuple(anyLog, cuts, loading, crashes),
    async ([log, cut, load, plan]) =>
      sameDump(await project(projection, log.records, { cut, loading: load, crashes: plan }), await project(projection, log.records)),
  )
}
