/** SQLite ends in the same bytes as the memory store, which computes every index anew at every question. */
import fc from 'fast-check'
import t from 'tap'
import { projections } from '../../projections/index.js'
import { SqliteDocumentStore } from '../../src/adapters/sqlite/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { anyLog, cuts, loading } from '../model/arbitrary-log.js'
import { sameDump } from '../support/dump.js'
import { type Crash, Folding, project } from '../support/harness.js'
import { holds } from '../support/property.js'

t.setTimeout(0)

const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, null, 'before', 'after'), { maxLength: 8 })

for (const projection of projections) {
  await holds(
    t,
    `${projection.name}: SQLite, cut and crashed at will, holds what memory holds`,
    fc.tuple(anyLog, cuts, loading, crashes),
    async ([{ records }, cut, load, plan]) => {
      const folder = await temporaryFolder()
      const store = await SqliteDocumentStore.open(folder)
      const folding = await Folding.begin(projection, { store, cut, loading: load, crashes: plan })
      try {
        await folding.through(records)
        sameDump(await folding.dump(), await project(projection, records))
      } finally {
        await folding.close()
        await store.close()
        await removeFolder(folder)
      }
    },
    20,
  )
}
