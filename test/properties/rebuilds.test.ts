/** Semantics 14, 15: a rebuild in batches of other sizes. */
import fc from 'fast-check'
import t from 'tap'
import { anyLog, cuts } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { sameDump } from '../support/dump.js'
import { memoryStore } from '../support/memory-store.js'
import { Folding } from '../support/project-log.js'
import { holds } from '../support/property.js'

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: a rebuild from zero beside the live generation gives the same documents, and leaves the live ones alone`,
    fc.tuple(anyLog, cuts, cuts),
    async ([log, cut, otherCut]) => {
      const store = memoryStore()
      const live = await Folding.begin(projection, { store, cut, loading: 0 })
      await live.through(log.records)
      const before = await live.dump()
      const rebuilt = await Folding.begin(projection, { store, cut: otherCut })
      await rebuilt.through(log.records)
      sameDump(await rebuilt.dump(), before)
      sameDump(await live.dump(), before)
    },
  )
}
