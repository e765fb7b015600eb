import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { EventStoreDbEventStore } from '../../../src/adapters/eventstore/event-store.js'
import { JetStreamEventStore } from '../../../src/adapters/nats/event-store.js'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { MAX_AGES } from '../../../src/ask/jobs/job-events.js'
import { removeFolder, temporaryFolder } from '../../adapters/folder.js'
import { askJobsContract } from '../../ports/ask-jobs.js'
import { EventStoreStandIn } from '../../servers/eventstore-stand-in.js'
import { PATIENT, startNats } from '../../servers/nats.js'

await askJobsContract(t, {
  name: 'SQLite',
  async open() {
    const folder = await temporaryFolder()
    const handle = async () => new SqliteEventStore(join(folder, 'asks.db'), { maxAges: MAX_AGES })
    return { store: await handle(), another: handle, remove: () => removeFolder(folder) }
  },
})

await askJobsContract(t, {
  name: 'EventStoreDB (a stand-in serving its protocol)',
  async open() {
    const server = await EventStoreStandIn.start()
    const handle = async () => new EventStoreDbEventStore(server.url, { maxAges: MAX_AGES })
    return { store: await handle(), another: handle, remove: () => server.stop() }
  },
})

const nats = await startNats(t)
if (nats !== null) {
  await askJobsContract(t, {
    name: 'JetStream',
    async open() {
      const name = `TEST_${randomUUID()}`
      const handle = async () => new JetStreamEventStore({ ...PATIENT, servers: nats.url, name, maxAges: MAX_AGES })
      // What it holds goes with the server.
      return { store: await handle(), another: handle, remove: async () => {} }
    },
  })
}
