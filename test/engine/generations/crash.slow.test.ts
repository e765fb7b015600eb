/** Killed at any moment of a rebuild or a rollback, the next leader finishes it, once. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { openSqliteStore } from '../../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../../src/adapters/sqlite/event-log.js'
import { Projector } from '../../../src/engine/leader/projector.js'
import { type Order, type Request, RequestStore } from '../../../src/engine/requests/request-store.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../../adapters/folder.js'
import { databaseOn, dropDatabase } from '../../adapters/mongo/databases.js'
import { COMMUNITY } from '../../harness/community.js'
import { eventually } from '../../ports/subject.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { liked, type Told } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { sameDump } from '../../support/dump.js'
import { dumpLive } from '../../support/live-documents.js'
import { project } from '../../support/project-log.js'
import { MOMENTS, type Moment } from './crashing-store.js'

const LEADER = fileURLToPath(new URL('crashing-leader.js', import.meta.url))
const silent = { info() {}, warn() {}, error() {} }
const MORE: readonly Told[] = [liked('plants', 'cleo'), liked('plants', 'ben')]
/** Its generation is there already, with its indexes. */
const OF_A_ROLLBACK: readonly Moment[] = MOMENTS.slice(2)

/** On a server each takes far longer; only commits, index builds and the switch-over differ there. */
const ON_A_SERVER: readonly Moment[] = [
  'when it has loaded a part',
  'when it builds indexes',
  'after the switch-over, before it is recorded',
]

for (const moment of MOMENTS)
  t.test(`a rebuild whose leader dies ${moment}`, (t) => survives(t, { kind: 'rebuild', maxRate: null }, moment))
for (const moment of OF_A_ROLLBACK) t.test(`a rollback whose leader dies ${moment}`, (t) => survives(t, { kind: 'rollback' }, moment))

const server = await mongoUrl(t)

if (server !== null) {
  for (const moment of ON_A_SERVER) {
    t.test(`MongoDB: a rebuild whose leader dies ${moment}`, async (t) => {
      const url = databaseOn(server)
      await survives(t, { kind: 'rebuild', maxRate: null }, moment, url)
      t.teardown(() => dropDatabase(url))
    })
  }
}

/** On SQLite, unless there is the address of a MongoDB. */
async function survives(t: Test, order: Order, moment: Moment, url?: string): Promise<void> {
  const folder = await temporaryFolder()
  const store: DocumentStore = await (url === undefined ? openSqliteStore(join(folder, 'models')) : openMongoStore(url))
  const log = new SqliteEventLog(join(folder, 'log', 'events.db'))
  const alive = setInterval(() => {}, 60_000)
  t.teardown(async () => {
    clearInterval(alive)
    await store.close()
    await log.close()
    await removeFolder(folder)
  })
  const script = new Script()
  await log.append(script.write(...COMMUNITY))
  const requests = new RequestStore(store)
  const carriedOut = async (request: Request) => {
    const projector = new Projector([feedProjection], log, store, silent)
    projector.start()
    const settled = await eventually(async () => {
      const found = await requests.find(request.id)
      return found?.state === 'open' ? null : found
    })
    await projector.stop()
    return settled
  }
  await carriedOut(await requests.submit('feed', feedProjection.version, { kind: 'rebuild', maxRate: null }))
  if (order.kind === 'rollback') await carriedOut(await requests.submit('feed', feedProjection.version, { kind: 'rebuild', maxRate: null }))

  await log.append(script.write(...MORE))
  const request = await requests.submit('feed', feedProjection.version, order)
  const [, signal] = await once(fork(LEADER, [folder, moment, ...(url === undefined ? [] : [url])]), 'exit')
  t.equal(signal, 'SIGKILL', 'it has died')
  t.match(await requests.find(request.id), { state: 'open' }, 'and said nothing')

  const promoted = countSwitchOvers(store)
  const settled = await carriedOut(request)
  t.match(settled, { state: 'done' })
  t.equal(promoted(), moment === 'after the switch-over, before it is recorded' ? 0 : 1, 'readers are moved once')
  const generations = await store.generations('feed')
  t.strictSame(
    generations.map(({ number, state }) => `g${number} ${state}`),
    order.kind === 'rollback' ? ['g1 live', 'g2 retired'] : ['g1 retired', 'g2 live'],
    'and no half-filled generation is left',
  )
  sameDump(await dumpLive(store, feedProjection), await project(feedProjection, script.records))
}

/** Counts how often this handle moves readers. */
function countSwitchOvers(store: DocumentStore): () => number {
  const promote = store.promote.bind(store)
  let count = 0
  store.promote = async (...args) => {
    count += 1
    await promote(...args)
  }
  return () => count
}
