import { appendFile, cp, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { requireAccepted } from '../../src/compose/models/accepted-models.js'
import { modelSet } from '../../src/compose/models/model-set.js'
import { recordDiscard } from '../../src/engine/dead-letters/discards.js'
import { folderWith, holdsBytes } from '../adapters/folder.js'
import { clientOf } from '../client/running.js'
import { gardening } from '../compose/models/fixture.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { erased, liked } from '../spec/events.js'
import { Script } from '../spec/script.js'

async function community(t: Test): Promise<DataFolder> {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  await folder.project()
  return folder
}

/** What readers get from a folder. */
async function feedOf(t: Test, folder: string): Promise<unknown> {
  const serving = await LocalServing.start(t, folder)
  await serving.ready()
  const feed = await clientOf(serving).getCommunityFeed()
  await serving.end()
  return feed
}

for (const flags of [[], ['--models']]) {
  await t.test(`a backup ${flags.join()} taken in use, restored elsewhere, answers the same, and knows what was decided`, async (t) => {
    const folder = await community(t)
    await recordDiscard(folder.documents, 'integrity', 3, 'a test of ours')
    const serving = await LocalServing.start(t, folder.path)
    await serving.ready()
    const work = folderWith()
    const made = await vitrine(['backup', join(work, 'b'), '--data-dir', folder.path, '--json', ...flags])
    t.equal(made.code, 0, made.stderr)
    const { files }: { files: string[] } = JSON.parse(made.stdout)
    t.equal(
      files.some((file) => /_g\d+\.db$/.test(file)),
      flags.length > 0,
    )
    t.strictSame(await readdir(work), ['b'], 'nothing is left beside it')
    t.notOk(
      (await readdir(join(work, 'b', 'models'))).some((file) => /-(wal|shm)$/.test(file)),
      'every file is whole by itself',
    )
    await serving.end()
    const restored = await vitrine(['restore', join(work, 'b'), '--data-dir', join(work, 'data')])
    t.equal(restored.code, 0, restored.stderr)
    t.strictSame(await feedOf(t, join(work, 'data')), await feedOf(t, folder.path))
    const { stdout } = await vitrine(['dead-letters', 'discarded', '--json', '--data-dir', join(work, 'data')])
    t.match(JSON.parse(stdout), [{ projection: 'integrity', position: 3, reason: 'a test of ours' }])

    await requireAccepted(folder.documents, modelSet([gardening()]), { remember: true })
    t.equal((await vitrine(['backup', join(work, 'c'), '--data-dir', folder.path, ...flags])).code, 0)
    t.equal((await vitrine(['restore', join(work, 'c'), '--data-dir', join(work, 'more')])).code, 0)
    const redacting = await vitrine(['redact', 'creator/ada', '--data-dir', join(work, 'more')])
    t.match(redacting, { code: 2, stderr: /works with other models \(missing here: gardens/ }, 'and which models are accepted')
  })
}

await t.test('who was removed after a backup is not back when it is restored', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  await folder.project()
  const work = folderWith()
  const older = join(work, 'older')
  t.equal((await vitrine(['backup', older, '--models', '--data-dir', folder.path])).code, 0)
  await folder.append(script.write(erased('ada'), liked('maze', 'dora')))
  await folder.project()
  t.equal((await vitrine(['redact', 'creator/ada', '--data-dir', folder.path])).code, 0)
  const newer = join(work, 'newer')
  t.equal((await vitrine(['backup', newer, '--data-dir', folder.path])).code, 0)
  const untouched = await readFile(join(newer, 'log', 'events.db'))

  for (const [name, from] of Object.entries({ folder: folder.path, newer })) {
    const data = join(work, `from-${name}`)
    const { code, stdout, stderr } = await vitrine(['restore', older, '--removals', from, '--data-dir', data, '--json'])
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { removals: 1, redactions: Number })
    for (const word of ['Ada L.', 'tide-clock', 'Gezeitenuhr']) t.notOk(await holdsBytes(data, word), `${word} is in no file`)
    const feed = JSON.stringify(await feedOf(t, data))
    t.notMatch(feed, /Ada|Tide clock/)
    t.match(feed, /Garden maze/)
  }
  t.ok(untouched.equals(await readFile(join(newer, 'log', 'events.db'))), 'the newer backup is as it was')

  const alone = await vitrine(['restore', older, '--data-dir', join(work, 'alone')])
  t.match(alone, { code: 0, stderr: /without --removals/ })
  const refused = (from: string) => vitrine(['restore', older, '--removals', from, '--data-dir', join(work, 'refused')])
  t.match(await refused(work), { code: 2, stderr: /holds no log/ })
  const strange = await DataFolder.open(t)
  await strange.append([{ id: 'other', subject: 'creator/x', payload: '{}' }])
  t.match(await refused(strange.path), { code: 2, stderr: /another one: they differ at position 1/ })
  t.notOk(
    (await readdir(work)).some((name) => name.startsWith('refused')),
    'and nothing is left',
  )
})

await t.test('the log is backed up even if models are damaged', async (t) => {
  const folder = await community(t)
  const work = folderWith()
  const data = join(work, 'data')
  await cp(join(folder.path, 'log'), join(data, 'log'), { recursive: true })
  await mkdir(join(data, 'models'))
  await writeFile(join(data, 'models', 'control.db'), 'this is not a database, '.repeat(100))
  const { code, stdout, stderr } = await vitrine(['backup', join(work, 'b'), '--json', '--data-dir', data])
  t.equal(code, 0)
  t.strictSame(JSON.parse(stdout).files, ['log/events.db'])
  t.match(stderr, /control\.db is damaged .*: the backup is without what was discarded/)
})

await t.test('what is written during a backup is in it completely or not at all', async (t) => {
  const folder = await community(t)
  const script = new Script()
  script.write(...COMMUNITY)
  const work = folderWith()
  let writing = true
  const writer = (async () => {
    for (let i = 0; writing; i++) {
      await folder.append(script.write(liked('c_1', `u_${i}`)))
      await nextTurn()
    }
  })()
  const made = await vitrine(['backup', join(work, 'b'), '--data-dir', folder.path])
  writing = false
  await writer
  t.equal(made.code, 0, made.stderr)
  t.equal((await vitrine(['restore', join(work, 'b'), '--data-dir', join(work, 'data')])).code, 0)
  const { stdout } = await vitrine(['status', '--json', '--data-dir', join(work, 'data')])
  const { last } = JSON.parse(stdout).log
  t.ok(last >= COMMUNITY.length && last <= (await folder.records()).length)
})

await t.test('nothing is overwritten, and nothing damaged is restored', async (t) => {
  const folder = await community(t)
  const work = folderWith()
  const made = join(work, 'b')
  const refused = async (args: string[], expected: RegExp) => {
    const { code, stderr } = await vitrine(args)
    t.equal(code, 2)
    t.match(stderr, expected)
  }
  t.equal((await vitrine(['backup', made, '--data-dir', folder.path])).code, 0)
  await refused(['backup', made, '--data-dir', folder.path], /not empty/)
  await refused(['backup', join(work, 'c'), '--data-dir', join(work, 'nowhere')], /nothing in/)
  await refused(['backup'], /one folder/)
  await refused(['restore', made, '--data-dir', folder.path], /not empty/)
  await refused(['restore', work, '--data-dir', join(work, 'data')], /not a backup/)
  await refused(['backup', join(work, 'c'), '--nats-url', 'nats://127.0.0.1:1', '--data-dir', folder.path], /NATS/)

  const log = join(made, 'log', 'events.db')
  const whole = await readFile(log)
  await appendFile(log, 'x')
  await refused(['restore', made, '--data-dir', join(work, 'data')], /changed since/)
  await truncate(log, 5000)
  await refused(['restore', made, '--data-dir', join(work, 'data')], /changed since/)
  await writeFile(log, whole)
  const manifest = join(made, 'backup.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.replace('log/events.db', '../elsewhere.db'))
  await refused(['restore', made, '--data-dir', join(work, 'data')], /outside/)
  await writeFile(manifest, '{')
  await refused(['restore', made, '--data-dir', join(work, 'data')], /cannot be read/)
  await writeFile(manifest, text)
  t.equal((await vitrine(['restore', made, '--data-dir', join(work, 'data')])).code, 0, 'and the whole one is')
})
