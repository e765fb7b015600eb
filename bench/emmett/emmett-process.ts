/** The process that builds the feed in Emmett, from the log and beside the feed that has been rebuilt from it. */
import { join } from 'node:path'
import { feedProjection } from '../../projections/feed/index.js'
import { Connection } from '../../src/adapters/sqlite/database.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { buildIndex } from '../../src/adapters/sqlite/models/indexes.js'
import { readConfig } from '../../src/compose/config.js'
import { openDocuments } from '../../src/compose/stores.js'
import { builtInEvents, decode, EVENT_NAMES, START } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { measureTime } from '../cpu-time.js'
import { logPath } from '../workspace.js'
import { type Emmett, emmettIn } from './emmett.js'
import { createTables, type Keeping, keeps, projectEvent } from './feed-in-emmett.js'

/** Ten times Emmett's default, and no pause between two batches. */
const PULLING = { batchSize: 1000, pullingFrequencyInMs: 0 }
const APPENDED = 1000

const [folder = '', modules = '', kept] = process.argv.slice(2)
const keeping: Keeping = kept === 'all' ? 'all' : 'own'
const fileName = join(folder, `emmett-${keeping}.db`)
const emmett = emmettIn(modules)
const last = await append(emmett)
const spent = await measureTime(async () => {
  await consume(emmett, last)
  indexTheRest()
}, null)
process.stdout.write(JSON.stringify({ ...spent, count: Number(last), documents: await compare() }))

/** The log as Emmett keeps it: a stream for each aggregate, the order of the whole kept. */
async function append({ sqliteConnection, createEventStoreSchema, appendToStream }: Emmett): Promise<bigint> {
  const log = new SqliteEventLog(logPath(folder))
  const connection = sqliteConnection({ fileName })
  await createEventStoreSchema(connection)
  let count = 0n
  for (let after = START; ; ) {
    const records = await log.read(after, APPENDED)
    await connection.withTransaction(async () => {
      for (const record of records)
        await appendToStream(connection, record.subject, 'feed', [{ type: nameOf(record), data: { ...record } }])
    })
    count += BigInt(records.length)
    const last = records.at(-1)
    if (last === undefined) break
    after = last.position
  }
  await createTables(connection, keeping)
  connection.close()
  await log.close()
  return count
}

function nameOf(record: LogRecord): string {
  const decoded = decode(record, builtInEvents)
  if (decoded.outcome !== 'event') throw new Error(`${record.id} cannot be read`)
  return decoded.event.name
}

async function consume({ getSQLiteEventStore }: Emmett, last: bigint): Promise<void> {
  const consumer = getSQLiteEventStore({ fileName }).consumer({ pulling: PULLING })
  consumer.processor({
    projection: {
      name: 'feed',
      canHandle: EVENT_NAMES.filter((name) => feedProjection.on[name] !== undefined),
      async handle([event], { connection }) {
        // The data of an event is the log record that was appended.
        await projectEvent(event?.data as unknown as LogRecord, connection, keeping)
      },
    },
    startFrom: 'BEGINNING',
    stopAfter: ({ metadata }) => metadata.globalPosition >= last,
  })
  await consumer.start()
  await consumer.close()
}

/** What is left of what readers find things by, built by the same statements as in our own rebuild. */
function indexTheRest(): void {
  const db = new Connection(fileName)
  db.exec('PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA temp_store = FILE')
  for (const collection of feedProjection.collections)
    for (const index of collection.indexes) {
      if (keeps(keeping, index)) continue
      db.exec('BEGIN')
      buildIndex(db, collection, index)
      db.exec('COMMIT')
    }
  db.close()
}

/** Throws where a document differs from that of our own feed. */
async function compare(): Promise<number> {
  const store = await openDocuments(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' }))
  const live = (await store.generations(feedProjection.name)).find(({ state }) => state === 'live')
  if (live === undefined) throw new Error('nothing has been rebuilt yet')
  const ours = await store.openGeneration(live, feedProjection.collections)
  const db = new Connection(fileName)
  let compared = 0
  for (const collection of feedProjection.collections) {
    const rows = db.prepare<[string, string]>(`SELECT id, doc FROM "${collection.name}"`).all()
    const total = await ours.count(collection, { index: '_id', equals: [] })
    if (rows.length !== total) throw new Error(`${collection.name}: ${rows.length} documents in Emmett, ${total} in ours`)
    const docs = await ours.get(
      collection,
      rows.map(([id]) => id),
    )
    for (const [i, [id, doc]] of rows.entries())
      if (JSON.stringify(docs[i]) !== doc)
        throw new Error(`${collection.name}/${id} is ${doc} in Emmett, ${JSON.stringify(docs[i])} in ours`)
    compared += rows.length
  }
  db.close()
  await ours.close()
  await store.close()
  return compared
}
