import { join } from 'node:path'
import t from 'tap'
import { Connection, openDatabase } from '../../src/adapters/sqlite/database.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { DiskSync } from '../../src/adapters/sqlite/write-ahead-log.js'
import { eventLogContract } from '../ports/event-log.js'
import { BRIEF, event } from '../ports/event-store/events.js'
import { eventStoreContract } from '../ports/event-store.js'
import { eventually } from '../ports/subject.js'
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
    const handle = () => new SqliteEventStore(join(folder, 'asks.db'), { maxAges: BRIEF, now: () => Date.now() + ahead })
    const pass = async (seconds: number) => {
      ahead += seconds * 1000
    }
    return { store: handle(), another: async () => handle(), pass, remove: () => removeFolder(folder) }
  },
})

t.test('what the event store deletes, or lets expire without another append, leaves its files', async (t) => {
  const folder = await temporaryFolder()
  const store = new SqliteEventStore(join(folder, 'asks.db'), { maxAges: BRIEF })
  // Another process keeps the write-ahead log from being removed.
  const other = new SqliteEventStore(join(folder, 'asks.db'))
  t.teardown(async () => {
    await store.close()
    await other.close()
    await removeFolder(folder)
  })
  const text = (word: string) => event('requested', { text: `${word} `.repeat(400) })
  await store.append('askjob-1', [text('Quincewood')], 'no stream')
  await store.append('brief-1', [text('Membrillar')], 'no stream')
  t.ok((await holdsBytes(folder, 'Quincewood')) && (await holdsBytes(folder, 'Membrillar')))
  await store.delete('askjob-1')
  await eventually(async () => !(await holdsBytes(folder, 'Quincewood')))
  await eventually(async () => !(await holdsBytes(folder, 'Membrillar')))
})

t.test('what is appended while the disk is busy waits for one more turn of it, all together', async (t) => {
  const folder = await temporaryFolder()
  const db = openDatabase(join(folder, 'x.db'))
  db.exec('CREATE TABLE names (name TEXT)')
  const turns: ((error?: Error) => void)[] = []
  const begun = () => turns.length
  const disk = new DiskSync(
    join(folder, 'x.db'),
    () => new Promise((resolve, reject) => turns.push((error) => (error === undefined ? resolve() : reject(error)))),
  )
  t.teardown(async () => {
    db.close()
    await removeFolder(folder)
  })
  const first = disk.reached()
  await eventually(async () => begun() === 1)
  const ended: string[] = []
  const others = ['second', 'third'].map(async (name) => {
    await disk.reached()
    ended.push(name)
  })
  turns[0]?.(new Error('the disk is full'))
  await t.rejects(first, { message: 'the disk is full' })
  await eventually(async () => begun() === 2)
  t.strictSame(ended, [], 'a turn that began before does not count')
  turns[1]?.()
  await Promise.all(others)
  t.equal(begun(), 2)
  await disk.close()
})

t.test('an append waits for the disk, unless it can be repeated', async (t) => {
  const folder = await temporaryFolder()
  const store = new SqliteEventStore(join(folder, 'events.db'))
  t.teardown(async () => {
    await store.close()
    await removeFolder(folder)
  })
  const waits = t.capture(DiskSync.prototype, 'reached', DiskSync.prototype.reached)
  await store.append('askjob-1', [event('requested')], 'no stream')
  t.equal(waits().length, 1)
  await store.append('askjob-1', [event('started')], 0, { repeatable: true })
  t.equal(waits().length, 0)
  await t.rejects(store.append('askjob-1', [event('late')], 0), { name: 'WrongRevisionError' })
  t.equal(waits().length, 1, 'also to learn that another was first')
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

t.test('a log from before the index by subject gets it when it is opened', async (t) => {
  const folder = await temporaryFolder()
  const path = join(folder, 'events.db')
  const db = new Connection(path)
  db.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
    appended_at INTEGER NOT NULL, payload TEXT NOT NULL)`)
  db.exec(`INSERT INTO events (id, subject, appended_at, payload) VALUES ('a', 'creation/x', 1, '1'), ('b', 'creation/y', 2, '2')`)
  db.close()
  const log = new SqliteEventLog(path)
  const another = new Connection(path)
  t.teardown(async () => {
    another.close()
    await log.close()
    await removeFolder(folder)
  })
  const found: string[] = []
  for await (const { id } of log.readSubjects(['creation/y'])) found.push(id)
  t.strictSame(found, ['b'])
  const query = 'SELECT payload FROM events WHERE subject = ? AND position > ? ORDER BY position LIMIT ?'
  const plan = another.prepare<string[]>(`EXPLAIN QUERY PLAN ${query}`).all('creation/y', 0, 10)
  t.match(JSON.stringify(plan), /USING INDEX events_by_subject \(subject=\? AND rowid>\?\)/)
})
