import { join } from 'node:path'
import t from 'tap'
import { Connection } from '../../src/adapters/sqlite/database.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { eventLogContract } from '../ports/event-log.js'
import { eventStoreContract } from '../ports/event-store.js'
import { holdsBytes, removeFolder, temporaryFolder } from './folder.js'

await eventLogContract(t, {
  name: 'SQLite',
  async open() {
    const folder = await temporaryFolder()
    const handle = () => new SqliteEventLog(join(folder, 'events.db'))
    return {
      store: handle(),
      another: async () => handle(),
      holds: (text: string) => holdsBytes(folder, text),
      remove: () => removeFolder(folder),
    }
  },
})

await eventStoreContract(t, {
  name: 'SQLite',
  async open() {
    const folder = await temporaryFolder()
    let ahead = 0
    const handle = () => new SqliteEventStore(join(folder, 'asks.db'), { now: () => Date.now() + ahead })
    const pass = async (seconds: number) => {
      ahead += seconds * 1000
    }
    return { store: handle(), another: async () => handle(), pass, remove: () => removeFolder(folder) }
  },
})

t.test('a statement that failed runs with its own values the next time', async (t) => {
  const folder = await temporaryFolder()
  const [one, other] = ['db', 'db'].map((name) => new Connection(join(folder, name)))
  t.teardown(async () => {
    one?.close()
    other?.close()
    await removeFolder(folder)
  })
  one?.exec('PRAGMA busy_timeout = 1; CREATE TABLE names (name TEXT)')
  const insert = () => one?.statement<[string]>('INSERT INTO names VALUES (?) RETURNING name')
  other?.exec('BEGIN IMMEDIATE')
  t.throws(() => insert()?.get('first'), { code: 'SQLITE_BUSY' })
  other?.exec('ROLLBACK')
  t.strictSame(insert()?.get('second'), ['second'])
})
