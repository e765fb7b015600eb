import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { pino } from 'pino'
import t from 'tap'
import { items, likes } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { tags } from '../../readmodels/tags/documents.js'
import { waitForModels } from '../../src/compose/wait-for-models.js'
import { Projector } from '../../src/engine/leader/projector.js'
import { folderWith } from '../adapters/folder.js'
import { clientOf } from '../client/running.js'
import { projectionOf, ReplayFixture } from '../engine/replay/fixture.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { but, erased, liked, poison, published, registered } from '../spec/events.js'

await t.test('replay writes the same rows in every format', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const out = folderWith()
  const run = (...args: string[]) => vitrine(['replay', 'feed', '--data-dir', fixture.folder.path, ...args])
  const printed = await run()
  t.equal(printed.code, 0, printed.stderr)
  const docs = printed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.ok(docs.length >= 5)
  for (const format of ['ndjson', 'csv', 'parquet']) t.equal((await run('--out', join(out, `feed.${format}`))).code, 0)
  t.strictSame((await readdir(out)).sort(), ['feed.csv', 'feed.ndjson', 'feed.parquet'], 'and nothing unfinished is left')

  t.equal(await readFile(join(out, 'feed.ndjson'), 'utf8'), printed.stdout)
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(out, 'feed.parquet')) })
  const maze = docs.find(({ _id }) => _id === 'maze')
  t.equal(rows.length, docs.length)
  const row = rows.find(({ _id }) => _id === 'maze')
  t.match(row, { likes: maze.likes, published: true, slug: 'Garden.Maze', title: JSON.stringify(maze.title) })
  const csv = (await readFile(join(out, 'feed.csv'), 'utf8')).split('\n')
  t.match(csv[0], /^"_id",.*"likes"/)
  t.ok(csv.some((line) => line.startsWith('"maze",') && line.includes('"{""en"":""Garden maze""}"')))
})

await t.test('replay prints one document, as of a moment', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const likesAt = async (until: number) => {
    const { stdout } = await vitrine(['replay', 'feed', '--key', 'mazetwo', '--until', String(until), '--data-dir', fixture.folder.path])
    return JSON.parse(stdout).likes
  }
  t.equal(await likesAt(17), 1)
  t.equal(await likesAt(1000), 3)
})

await t.test('replay says so when there is nothing to print, and where else to look', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const run = (...args: string[]) => vitrine(['replay', 'tags', '--data-dir', fixture.folder.path, ...args])
  const { code, stdout, stderr } = await run('--key', 'nothing')
  t.strictSame([code, stdout], [1, ''], 'the one that was asked for is missing')
  t.match(stderr, /no document "nothing" in tagged as of then\. --collection chooses another: .*\btags\b/)
  t.match(await run('--until', '1'), { code: 0, stdout: '', stderr: /no document in tagged/ })
})

await t.test('replay folds your own projection, from any folder', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.append(published('mazethree', { by: 'cleo', remixOf: 'mazetwo' }))
  const { code, stdout, stderr } = await vitrine(['replay', resolve('examples/remix-depth.ts'), '--data-dir', fixture.folder.path])
  t.equal(code, 0, stderr)
  t.strictSame(JSON.parse(stdout), { _id: '2026-01', remixes: 2, deepest: 2, average: 1.5 })

  const folder = folderWith()
  await mkdir(join(folder, 'parts'))
  await writeFile(join(folder, 'parts', 'name.ts'), "export const name: string = 'elsewhere'\n")
  const text = await readFile('examples/remix-depth.ts', 'utf8')
  const elsewhere = join(folder, 'mine.ts')
  await writeFile(elsewhere, `import { name } from './parts/name.js'\n${text.replace("name: 'remix-depth'", 'name')}`)
  const again = await vitrine(['replay', elsewhere, '--data-dir', fixture.folder.path])
  t.equal(again.stdout, stdout, again.stderr)

  const { last } = await fixture.log.bounds()
  await fixture.append(but(published('mazethree', { by: 'cleo', remixOf: 'mazetwo' }), { sequence: 1 }))
  const twice = await vitrine(['replay', resolve('examples/remix-depth.ts'), '--data-dir', fixture.folder.path])
  t.equal(twice.stdout, stdout, 'a repeated event is dropped')
  await fixture.append(published('mazefour', { by: 'dan', remixOf: 'mazethree' }), registered('dan'), erased('dan'))
  const past = await vitrine(['replay', resolve('examples/remix-depth.ts'), '--until', `${last}`, '--data-dir', fixture.folder.path])
  t.equal(past.stdout, stdout, 'and nothing later is folded because its creator has been removed')
})

await t.test('replay says what is wrong with a call', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const folder = folderWith()
  await writeFile(join(folder, 'empty.ts'), 'export const nothing: number = 1\n')
  const refused = async (args: string[], expected: RegExp) => {
    const { code, stderr } = await vitrine(['replay', ...args, '--data-dir', fixture.folder.path])
    t.equal(code, 2)
    t.match(stderr, expected)
  }
  await refused([], /name one projection/)
  await refused(['nonsense'], /only feed, tags/)
  await refused(['./nowhere.ts'], /no file/)
  await refused([join(folder, 'empty.ts')], /exports no projection/)
  await refused(['feed', '--until', 'yesterday'], /--until must be/)
  await refused(['feed', '--out', 'feed.xlsx'], /\.ndjson, \.csv, \.parquet/)
  await refused(['feed', '--collection', 'nope'], /only items/)
  await refused(['feed', '--out', join(folder, 'nowhere', 'feed.csv')], /the folder .*nowhere is not there/)
  await refused(['feed', '--from', '20', '--until', '10'], /--from must be before --until/)
  await refused(['feed', '--from', '2026-01-02', '--until', '2026-01-01T10:00Z'], /--from must be before --until/)
  await writeFile(join(folder, 'slip.ts'), 'export const slip = 1\nconst here (')
  await refused([join(folder, 'slip.ts')], /^vitrine replay: cannot load .*slip\.ts: line 2, column \d+: [^\n]+\n$/)
  const misspelt = (await readFile('examples/remix-depth.ts', 'utf8')).replace("'creation.published'", "'creation.publishd'")
  await writeFile(join(folder, 'misspelt.ts'), misspelt)
  await refused([join(folder, 'misspelt.ts')], /handles "creation.publishd", which is no event type.*creation.published/)
  await writeFile(join(folder, 'lost.ts'), "import 'no-such-package'\n")
  await refused([join(folder, 'lost.ts')], /^vitrine replay: cannot load .*lost\.ts: Cannot find package 'no-such-package'[^\n]*\n$/)
})

await t.test('replay reports what a projection could not fold', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const file = join(folderWith(), 'mine.ts')
  const text = await readFile('examples/remix-depth.ts', 'utf8')
  await writeFile(file, text.replace('if (!data.remixOf) return', "if (!data.remixOf) throw new Error('not\\u009bprepared')"))
  const { code, stderr } = await vitrine(['replay', file, '--data-dir', fixture.folder.path])
  t.equal(code, 1)
  t.match(stderr, /\d events could not be folded and are left out:\n {2}creation\/\w+ at position \d+: not\\u009bprepared\n/)

  await fixture.append(poison(liked('maze', 'zoe')))
  const unreadable = await vitrine(['replay', 'feed', '--data-dir', fixture.folder.path])
  t.equal(unreadable.code, 0, 'the projection has done what can be done')
  t.match(
    unreadable.stderr,
    /^vitrine replay: 1 event could not be folded and is left out:\n {2}creation\/maze at position \d+: version 999 is unknown\n$/,
  )
})

await t.test('verify ends with 0 when nothing differs and with 1 when anything does', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const clean = await vitrine(['verify', 'all', '--data-dir', fixture.folder.path])
  t.equal(clean.code, 0, clean.stderr)
  t.match(clean.stdout, /^feed, generation 1, position \d+: \d+ documents compared, none differs\.$/m)
  await fixture.damage(projectionOf('tags'), tags, 'puzzle', (doc) => ({ ...doc, count: 9 }))
  const { code, stdout } = await vitrine(['verify', 'tags', '--data-dir', fixture.folder.path])
  t.equal(code, 1)
  t.match(stdout, 'tags/puzzle')
  t.match(stdout, 'count: 9 in the model, 2 by the log')
  const json = await vitrine(['verify', 'tags', '--json', '--data-dir', fixture.folder.path])
  t.match(JSON.parse(json.stdout), {
    verifications: [{ discrepancies: [{ collection: 'tags', id: 'puzzle', fields: [{ path: 'count', left: 9, right: 2 }] }] }],
  })
  t.equal((await vitrine(['verify', 'tags', '--sample', '7', '--data-dir', fixture.folder.path])).code, 2)
})

await t.test('verify says what a field is compared with, and is brief about long lists', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const mood: string[] = Array.from({ length: 30 }, (_, i) => `m${i}`)
  await fixture.damage(projectionOf('feed'), items, 'maze', (doc) => ({ ...doc, tags: mood, seq: 77 }))
  const { stdout } = await vitrine(['verify', 'feed', '--data-dir', fixture.folder.path])
  t.match(stdout, /tags\[9\]: "m9" in the model, nothing by the log\n/)
  t.match(stdout, /\n {6}… and \d+ more fields: --json has them all\n/)
})

await t.test('verify has nothing to compare with where no model of this version is live', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const none = await vitrine(['verify', 'tags', '--data-dir', folder.path])
  t.equal(none.code, 2)
  t.match(none.stderr, /^vitrine verify: there is no tags model yet[^\n]+\n$/)

  const projector = new Projector([{ ...projectionOf('tags'), version: 99 }], folder.log, folder.documents, pino({ level: 'silent' }))
  projector.start()
  await waitForModels(folder.documents, ['tags'], new AbortController().signal)
  await projector.stop()
  const other = await vitrine(['verify', 'tags', '--data-dir', folder.path])
  t.equal(other.code, 2)
  t.match(other.stderr, /^vitrine verify: tags is served by version 99[^\n]+rebuild it first\n$/)
})

await t.test('verify --repair puts right what differs, with or without a service running', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const [feed, tagged] = [projectionOf('feed'), projectionOf('tags')]
  await fixture.damage(tagged, tags, 'puzzle', (doc) => ({ ...doc, count: 9 }))
  const alone = await vitrine(['verify', 'tags', '--repair', '--data-dir', fixture.folder.path])
  t.equal(alone.code, 0, alone.stderr)
  t.match(alone.stdout, /1 differs:(.*\n)*tags: rewrote 1 document\n(.*)none differs/)

  await fixture.damage(feed, items, 'maze', (doc) => ({ ...doc, likes: 77, title: { en: 'Nonsense' } }))
  await fixture.damage(feed, likes, 'maze~ada', () => undefined)
  const serving = await LocalServing.start(t, fixture.folder.path)
  await serving.ready()
  const read = () => clientOf(serving).getAppShare({ handle: 'ben', slug: 'Garden.Maze' })
  t.match(await read(), { title: 'Nonsense' })
  const led = await vitrine(['verify', 'feed', '--repair', '--json', '--data-dir', fixture.folder.path])
  t.equal(led.code, 0, led.stderr)
  t.match(JSON.parse(led.stdout), { verifications: [{ projection: 'feed', discrepancies: [] }] })
  t.match(await read(), { title: 'Garden maze', stats: { likes: 2 } })
})

await t.test('verify --repair also rewrites unreadable documents, and removes documents that the log does not explain', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const feed = projectionOf('feed')
  await fixture.runSql(feed, 'UPDATE items SET doc = ? WHERE id = ?', 'not \u009bJSON', 'maze')
  await fixture.runSql(feed, 'UPDATE counters SET doc = ? WHERE id = ?', 'null', EVERYTHING)
  await fixture.runSql(feed, 'INSERT INTO items (id, doc) VALUES (?, ?)', 'invented', '')
  const verify = (...args: string[]) => vitrine(['verify', 'feed', '--data-dir', fixture.folder.path, ...args])
  const found = await verify()
  t.equal(found.code, 1, found.stderr)
  t.match(found.stdout, /items\/maze: cannot be read \(.*not \\u009bJSON.*\)\n {6}by the log it is \{"_id":"maze",/)
  t.match(found.stdout, /items\/invented: cannot be read \(.*\)\n {6}no event accounts for it\n/)
  const json = await verify('--json')
  t.match(JSON.parse(json.stdout).verifications[0].discrepancies[2], {
    ...{ collection: 'counters', kind: 'unreadable', reason: 'it is no JSON object' },
    fields: [{ path: '', right: { _id: EVERYTHING } }],
  })
  const repaired = await verify('--repair')
  t.equal(repaired.code, 0, repaired.stderr)
  t.match(repaired.stdout, /feed: rewrote 3 documents\n.*none differs/)
})

await t.test('verify names indexes that do not match the documents, and a rebuild cures them', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const feed = projectionOf('feed')
  // The index no longer knows which words belong to the document, so rewriting the document adds them a second time.
  await fixture.runSql(feed, "UPDATE terms SET doc = '' WHERE id = 'maze'")
  await fixture.runSql(feed, "DELETE FROM items__recent WHERE id = 'tides'")
  const verify = (...args: string[]) => vitrine(['verify', 'feed', '--data-dir', fixture.folder.path, ...args])
  const found = await verify()
  t.equal(found.code, 1)
  t.match(found.stdout, /^ {2}items, index recent: \d+ entries are not as the documents say, such as tides$/m)
  t.match(found.stdout, /^ {2}"vitrine rebuild feed" builds its indexes anew\.$/m)
  const repaired = await verify('--repair')
  t.equal(repaired.code, 1)
  t.match(repaired.stdout, /^feed: rewrote 1 document$/m)
  t.match(repaired.stdout, /^ {2}terms, index byTerm: \d+ entries are not as the documents say, such as /m)
  t.equal((await vitrine(['rebuild', 'feed', '--data-dir', fixture.folder.path])).code, 0)
  t.equal((await verify()).code, 0)
})
