/** The engine on a real mongod ends in the same bytes as on SQLite, and pages come straight from an index. */
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { SORTS } from '../../../readmodels/feed/documents.js'
import { type Filter, facetOf } from '../../../readmodels/feed/facets.js'
import { feedPage, pageKeyOf } from '../../../readmodels/feed/queries.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { openSqliteStore } from '../../../src/adapters/sqlite/document-store.js'
import type { Reads } from '../../../src/ports/document-store.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { projections } from '../../support/built-in-models.js'
import { sameDump } from '../../support/dump.js'
import { Folding } from '../../support/project-log.js'
import { thorough } from '../../support/tier.js'
import { removeFolder, temporaryFolder } from '../folder.js'
import { databaseOn, dropDatabase } from './databases.js'
import { demoRecords, everything } from './models.js'

/** More of them for a longer run: `TEST_EVENTS=100000`. */
const EVENTS = Number(process.env.TEST_EVENTS ?? (thorough ? 20_000 : 5_000))

const LIMIT = 5

const server = await mongoUrl(t)

if (server !== null) {
  const url = databaseOn(server)
  const folder = await temporaryFolder()
  const mongo = await openMongoStore(url)
  const sqlite = await openSqliteStore(join(folder, 'models'))
  t.teardown(async () => {
    await mongo.close()
    await sqlite.close()
    await dropDatabase(url)
    await removeFolder(folder)
  })

  await t.test(`${EVENTS} events give the same bytes on SQLite and on MongoDB`, async (t) => {
    const records = demoRecords(EVENTS)
    t.equal(records.length, EVENTS)
    for (const projection of projections) {
      for (const store of [sqlite, mongo]) {
        // Most of it as a load, the end live.
        const folding = await Folding.begin(projection, { store, cut: [2500, 2500, 1000], loading: Math.floor(EVENTS / 2200) })
        await folding.through(records)
        await folding.close()
      }
    }
    const expected = await everything(sqlite)
    for (const [name, dump] of await everything(mongo)) {
      t.ok(dump.size > 0, `${name}: ${dump.size} documents`)
      sameDump(dump, expected.get(name) ?? new Map())
    }
  })

  await t.test('every page of the feed without text is one range of one index', async (t) => {
    const client = new MongoClient(url)
    const db = client.db()
    t.teardown(() => client.close())
    // The server writes down how it answered what the adapter really asked.
    await db.setProfilingLevel('all')
    const snapshot = await mongo.snapshot(['feed'])
    t.teardown(() => snapshot.release())
    const reads = snapshot.model('feed')
    let pages = 0
    for (const filter of await filtersIn(reads)) {
      for (const sort of SORTS) {
        const first = await feedPage(reads, { filter, sort, limit: LIMIT, after: null })
        const last = first.items.at(-1)
        t.ok(last !== undefined, `${facetOf(filter)} has creations`)
        if (last !== undefined) await feedPage(reads, { filter, sort, limit: LIMIT, after: pageKeyOf(last, sort) })
        pages += 2
      }
    }
    await db.setProfilingLevel('off')
    const answers = await db
      .collection<Profiled>('system.profile')
      .find({ ns: /_items$/, op: 'query' })
      .toArray()
    const asked = answers.filter(({ command }) => command.limit === LIMIT + 1)
    t.equal(asked.length, pages)
    for (const { command, execStats, keysExamined, docsExamined } of asked) {
      const stages = stagesOf(execStats)
      const what = JSON.stringify(command.filter)
      t.ok(stages.includes('IXSCAN') && !stages.includes('COLLSCAN') && !stages.includes('SORT'), `${what}: ${stages.join(' ')}`)
      // One more key for each of the two stretches that a next page may be made of.
      t.ok(keysExamined <= LIMIT + 3 && docsExamined <= LIMIT + 3, `${what} looks at no more than it shows`)
    }
  })
}

interface Stage {
  stage: string
  inputStage?: Stage
  inputStages?: Stage[]
}

interface Profiled {
  op: string
  ns: string
  command: { filter: object; limit: number }
  execStats: Stage
  keysExamined: number
  docsExamined: number
}

function stagesOf({ stage, inputStage, inputStages = [] }: Stage): string[] {
  return [stage, ...[...inputStages, ...(inputStage === undefined ? [] : [inputStage])].flatMap(stagesOf)]
}

/** Featured or any × category or any × tag or any, of a creation that is in all of them. */
async function filtersIn(reads: Reads): Promise<Filter[]> {
  const featured = { featuredOnly: true, category: null, tag: null }
  const { items } = await feedPage(reads, { filter: featured, sort: 'recent', limit: 48, after: null })
  const one = items.find(({ category, tags }) => category !== null && tags.length > 0)
  if (one === undefined) throw new Error('no featured creation has a category and a tag')
  return [true, false].flatMap((featuredOnly) =>
    [null, one.category].flatMap((category) => [null, one.tags[0] ?? null].map((tag) => ({ featuredOnly, category, tag }))),
  )
}
