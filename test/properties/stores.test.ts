/** Real stores end in the same bytes as the memory store, which scans all documents for every query. */
import fc from 'fast-check'
import t from 'tap'
import { STORES } from '../engine/stores.js'
import { anyLog, cuts, loading } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { sameDump } from '../support/dump.js'
import { type Crash, Folding, project } from '../support/project-log.js'
import { holds } from '../support/property.js'

/** A new database on a server takes far longer than a new file. */
const RUNS: Record<string, number> = { SQLite: 20, MongoDB: 3 }

const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, null, 'before', 'after'), { maxLength: 8 })

for (const { name, open } of STORES.filter(({ name }) => name in RUNS)) {
  for (const projection of projections) {
    await holds(
      t,
      `${projection.name}: ${name}, cut and crashed at will, holds what memory holds`,
      fc.tuple(anyLog, cuts, loading, crashes),
      async ([{ records }, cut, load, plan]) => {
        const { store, remove } = await open()
        const folding = await Folding.begin(projection, { store, cut, loading: load, crashes: plan })
        try {
          await folding.through(records)
          sameDump(await folding.dump(), await project(projection, records))
        } finally {
          await folding.close()
          await store.close()
          await remove()
        }
      },
      RUNS[name],
    )
  }
}
