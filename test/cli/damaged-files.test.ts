/** A file that a disk has damaged is found and named, and the models come back from the log. */
import { open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emptyWriteAheadLog, inTransaction, openDatabase } from '../../src/adapters/sqlite/database.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Script } from '../spec/script.js'

t.test('a damaged model is named, and built again once it is deleted', async (t) => {
  for (const harm of [scribble, cutShort]) {
    const path = await closedFolder(t)
    const file = (await readdir(join(path, 'models'))).find((name) => /^feed_v\d+_g1\.db$/.test(name)) ?? ''
    await harm(join(path, 'models', file))
    const { code, stdout } = await vitrine(['doctor', '--data-dir', path])
    t.equal(code, 1)
    t.match(stdout, new RegExp(`^BAD +file models/${file}: damaged.*\\n.*delete this file`, 'm'), harm.name)
    await rm(join(path, 'models', file))
    t.equal((await vitrine(['status', '--data-dir', path])).code, 0)
    t.notOk((await readdir(join(path, 'models'))).includes(file), 'looking does not put an empty file in its place')
    const again = await DataFolder.open(t, path)
    await again.project()
    t.equal((await vitrine(['doctor', '--data-dir', path])).code, 0, 'as new')
    t.equal((await vitrine(['verify', 'feed', '--data-dir', path])).code, 0)
  }
})

t.test('a damaged log is named, with the way back', async (t) => {
  for (const harm of [scribble, cutShort]) {
    const path = await closedFolder(t)
    await harm(join(path, 'log', 'events.db'))
    const { code, stdout } = await vitrine(['doctor', '--data-dir', path])
    t.equal(code, 1)
    t.match(stdout, /^BAD +file log\/events\.db: damaged.*\n.*vitrine restore/m, harm.name)
  }
})

t.test('what cannot be made again waits for the disk', async (t) => {
  const folder = await temporaryFolder()
  t.teardown(() => removeFolder(folder))
  const levelOf = (durable: boolean) => {
    const db = openDatabase(join(folder, 'x.db'), { durable })
    t.teardown(() => db.close())
    return (db.prepare('PRAGMA synchronous').raw().get() as unknown as [number])[0]
  }
  t.strictSame([levelOf(true), levelOf(false)], [2, 1], 'FULL and NORMAL')
})

t.test('a disk that is full says so, although SQLite has rolled back by then', async (t) => {
  const folder = await temporaryFolder()
  t.teardown(() => removeFolder(folder))
  const db = openDatabase(join(folder, 'x.db'))
  t.teardown(() => db.close())
  const fill = () => {
    db.exec('ROLLBACK')
    throw new Error('database or disk is full')
  }
  t.throws(() => inTransaction(db, fill), /disk is full/)
  t.equal(
    inTransaction(db, () => 'goes on'),
    'goes on',
  )
})

async function closedFolder(t: Test): Promise<string> {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  await folder.project()
  await folder.close()
  return folder.path
}

/** Some pages behind the first hold something else. */
async function scribble(path: string): Promise<void> {
  await settle(path)
  const { size } = await stat(path)
  const file = await open(path, 'r+')
  for (let at = 4096; at < size; at += 3 * 4096) await file.write(Buffer.alloc(512, 0x5a), 0, 512, at)
  await file.close()
}

async function cutShort(path: string): Promise<void> {
  await settle(path)
  await truncate(path, Math.floor((await stat(path)).size / 2))
}

/** What stands in the log beside a file would hide the damage. */
async function settle(path: string): Promise<void> {
  const db = openDatabase(path)
  await emptyWriteAheadLog(db)
  db.close()
}
