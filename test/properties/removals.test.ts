/** Semantics 3, 8: a removal wins wherever it stands among the events, and whatever its sequence. */
import fc from 'fast-check'
import t from 'tap'
import { STORES } from '../engine/stores.js'
import { anyLog, anyRemoval, cuts, loading, withRemoval } from '../reference-model/arbitrary-log.js'
import { Community } from '../reference-model/community.js'
import { projections } from '../support/built-in-models.js'
import { sameDump, withoutRecordOfArrivals } from '../support/dump.js'
import { DOMAIN, eventsOf, Models } from '../support/models.js'
import { type Crash, Folding, project } from '../support/project-log.js'
import { holds } from '../support/property.js'
import { sameAnswers } from '../support/same-answers.js'

const anywhere = fc.tuple(anyLog, anyRemoval, fc.nat()).map(([log, removal, behind]) => ({
  there: withRemoval(log, removal, behind % (log.records.length + 1)),
  atTheEnd: withRemoval(log, removal, log.records.length),
}))

const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, null, 'before', 'after'), { maxLength: 8 })
const run = fc.record({ cut: cuts, loading, crashes })

await holds(
  t,
  'in memory, every document is as if it had come last',
  fc.tuple(anywhere, run),
  async ([{ there, atTheEnd }, how]) => {
    for (const projection of projections)
      sameDump(
        withoutRecordOfArrivals(projection, await project(projection, there.records, how)),
        withoutRecordOfArrivals(projection, await project(projection, atTheEnd.records)),
      )
  },
  100,
)

await holds(
  t,
  'in memory, every answer is that of the reference model',
  fc.tuple(anywhere, run),
  async ([{ there }, how]) => {
    const models = await Models.begin(how)
    await models.through(there.records)
    await sameAnswers(models.reader, new Community(eventsOf(there.records), DOMAIN), 'en')
  },
  60,
)

/** A new database on a server takes far longer than a new file. */
const RUNS: Record<string, number> = { SQLite: 20, MongoDB: 5 }

for (const { name, open } of STORES.filter((each) => each.name in RUNS)) {
  await holds(
    t,
    `in ${name}, every document is as if it had come last`,
    fc.tuple(anywhere, run),
    async ([{ there, atTheEnd }, how]) => {
      const { store, remove } = await open()
      const foldings: Folding[] = []
      try {
        for (const projection of projections) {
          const folding = await Folding.begin(projection, { ...how, store })
          foldings.push(folding)
          await folding.through(there.records)
          sameDump(
            withoutRecordOfArrivals(projection, await folding.dump()),
            withoutRecordOfArrivals(projection, await project(projection, atTheEnd.records)),
          )
        }
      } finally {
        for (const folding of foldings) await folding.close()
        await store.close()
        await remove()
      }
    },
    RUNS[name],
  )
}
