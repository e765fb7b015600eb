/** The store does not answer for a while, as in an election of MongoDB, while a command waits for what it has asked for. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { feed } from '../../projections/feed/index.js'
import { type Connection, openDatabase } from '../../src/adapters/sqlite/database.js'
import { settle } from '../../src/cli/asking.js'
import { Io } from '../../src/cli/io.js'
import { readConfig } from '../../src/config.js'
import { Requests } from '../../src/projector/requests.js'
import { eventually } from '../contracts/subject.js'
import { TestProcess, vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Script } from '../spec/script.js'

async function built(t: Pick<Test, 'teardown'>): Promise<DataFolder> {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  await folder.project()
  return folder
}

/** Settles when somebody has begun to fill a generation. */
const underWay = (folder: DataFolder): Promise<void> =>
  folder.until(async () => (await new Requests(folder.documents).open('feed')).some(({ phase }) => phase === 'loading'))

/** What requests are kept in goes by another name: until it has its own again, nothing can be read of them. */
const rename = (folder: DataFolder, from: string, to: string): void =>
  onControl(folder, (db) => {
    db.exec(`ALTER TABLE notes RENAME COLUMN ${from} TO ${to}`)
  })

/** Grows with every new leader, also one that has given up by now. */
const epochIn = (folder: DataFolder): number =>
  onControl(folder, (db) => {
    const row = db.prepare("SELECT epoch FROM leases WHERE projection = 'feed'").raw().get()
    // One number, as selected.
    return (row as unknown as [number])[0]
  })

function onControl<T>({ path }: DataFolder, work: (db: Connection) => T): T {
  const db = openDatabase(join(path, 'models', 'control.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

t.test('a command keeps asking until the store answers again', async (t) => {
  const folder = await built(t)
  const running = vitrine(['rebuild', 'feed', '--max-rate', '30', '--data-dir', folder.path])
  await underWay(folder)
  const before = epochIn(folder)
  rename(folder, 'value', 'away')
  // It leads anew after each error that it meets, and looks at the request far more often.
  await eventually(async () => epochIn(folder) > before + 1)
  rename(folder, 'away', 'value')
  t.match(await running, { code: 0, stdout: /^feed: rebuild done/, stderr: '' })
})

t.test('when that takes too long it says that the request goes on', async (t) => {
  const folder = await built(t)
  const own = new TestProcess()
  const args = { config: readConfig({ DATA_DIR: folder.path }), io: new Io(own) }
  const asked = settle(args, [feed], { kind: 'rebuild', maxRate: 1 }, 0)
  const refused = t.rejects(asked, /no such column/)
  await underWay(folder)
  rename(folder, 'value', 'away')
  await refused
  t.match(
    own.stderr.text,
    /^The rebuild of feed goes on without this command: .* the next projector .*; .* "vitrine rebuild feed --abort" ends it\.\n$/,
  )
  rename(folder, 'away', 'value')
  t.equal((await new Requests(folder.documents).open('feed')).length, 1, 'it does')
})
