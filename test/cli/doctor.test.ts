/** `vitrine doctor` names what is wrong, down to a file that a disk has damaged, and how to mend it. */
import { open, readdir, rm, stat, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inTransaction, openDatabase, truncateWriteAheadLog } from '../../src/adapters/sqlite/database.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { examined } from '../harness/doctor.js'
import { erased, played, poison, removed, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'

async function community(t: Test, ...more: Told[]): Promise<DataFolder> {
  const folder = await DataFolder.of(t, ...COMMUNITY, ...more)
  await folder.project()
  return folder
}

await t.test('all is well', async (t) => {
  const folder = await community(t)
  t.strictSame(await examined(folder.path), { code: 0, bad: [] })
  const { code, stdout } = await vitrine(['doctor', '--data-dir', folder.path])
  t.equal(code, 0)
  t.ok(
    stdout
      .trimEnd()
      .split('\n')
      .every((line) => line.startsWith('ok ')),
  )
  for (const check of ['node', 'data folder', 'log', 'model feed', 'model integrity', 'upstream sequences']) t.match(stdout, check)
})

await t.test('a folder that cannot be written', async (t) => {
  const { code, bad } = await examined('/dev/null/data')
  t.equal(code, 1)
  t.match(bad, [{ check: 'data folder', finding: /\/dev\/null\/data/, remedy: /DATA_DIR/ }])
  const { stdout } = await vitrine(['doctor', '--data-dir', '/dev/null/data'])
  t.match(stdout, /^BAD {2}data folder: .*\n +→ .*DATA_DIR/m, 'in words, too')
})

await t.test('models that were never built', async (t) => {
  const folder = await DataFolder.open(t)
  const { code, bad } = await examined(folder.path)
  t.equal(code, 1)
  t.strictSame(
    bad.map(({ check }) => check),
    ['model feed', 'model tags', 'model profiles', 'model shares', 'model integrity'],
  )
  t.ok(bad.every(({ finding, remedy }) => finding.startsWith('missing') && remedy?.includes('vitrine serve')))
})

await t.test('models of another log, and what only they know to be removed', async (t) => {
  const folder = await community(t, removed('maze'), erased('ada'))
  const other = await DataFolder.open(t)
  await other.append(new Script().write(...COMMUNITY).map((record) => ({ ...record, id: `other-${record.id}` })))
  await other.project()
  const { code, bad } = await mixed(folder, other)
  t.equal(code, 1)
  const models = bad.filter(({ check }) => check.startsWith('model '))
  t.equal(models.length, 5)
  t.ok(models.every(({ finding, remedy }) => finding.startsWith('stopped') && remedy?.includes('--accept-log')))
  t.match(
    bad.filter(({ check }) => !check.startsWith('model ')),
    [
      {
        check: 'removals',
        finding: /^the models know 2 removals that this log lacks: creation\/maze, creator\/ada$/,
        remedy: /^keep the models/,
      },
    ],
  )
})

/** The models of one folder beside the log of another. */
async function mixed(models: DataFolder, log: DataFolder) {
  const folder = folderWith()
  await symlink(join(models.path, 'models'), join(folder, 'models'))
  await symlink(join(log.path, 'log'), join(folder, 'log'))
  return examined(folder)
}

await t.test('an event that cannot be folded', async (t) => {
  const folder = await community(t, poison(played('maze')), played('maze'), played('maze'))
  const { code, bad } = await examined(folder.path)
  t.equal(code, 1)
  t.match(bad, [
    { check: 'model feed', finding: /^1 aggregate has an event that cannot be folded$/, remedy: /vitrine dead-letters list feed/ },
  ])
  t.equal(bad.length, 1)
})

await t.test('a file that is no database', async (t) => {
  const folder = folderWith({ 'log/events.db': 'this is not a database, '.repeat(100) })
  const { code, bad } = await examined(folder)
  t.equal(code, 1)
  t.match(bad, [{ check: /^file log/, finding: /damaged/, remedy: /restore/ }])
})

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

t.test('what cannot be rebuilt is synced to the disk', async (t) => {
  const folder = folderWith()
  const levelOf = (durable: boolean) => {
    const db = openDatabase(join(folder, 'x.db'), { durable })
    t.teardown(() => db.close())
    return db.prepare<[number]>('PRAGMA synchronous').one()[0]
  }
  t.strictSame([levelOf(true), levelOf(false)], [2, 1], 'FULL and NORMAL')
})

t.test('a disk that is full says so, although SQLite has rolled back by then', async (t) => {
  const folder = folderWith()
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
  const folder = await DataFolder.of(t, ...COMMUNITY)
  await folder.project()
  await folder.close()
  return folder.path
}

/** Some pages after the first hold something else. */
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
  await truncateWriteAheadLog(db)
  db.close()
}
