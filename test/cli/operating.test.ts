/** Rebuilds and dead letters from the command line, with a service running and without. */

import { join } from 'node:path'
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { type Connection, openDatabase } from '../../src/adapters/sqlite/database.js'
import { Io } from '../../src/cli/io.js'
import { submitAndWait } from '../../src/cli/submit-request.js'
import { readConfig } from '../../src/compose/config.js'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import { RunningCommand, TestProcess, vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { dumpModels } from '../harness/dump-models.js'
import { LocalServing } from '../harness/local-serving.js'
import { builtFolder, rebuildUnderWay, SLOWLY } from '../harness/rebuilds.js'
import { eventually } from '../ports/subject.js'
import { but, edited, erased, liked, played, poison, published, registered, removed } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { sameDump } from '../support/dump.js'

t.test('without a service the command does it itself', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  const run = (...args: string[]) => vitrine([...args, '--data-dir', folder.path])
  await folder.append(script.write(...COMMUNITY, poison(played('maze')), liked('maze', 'dora')))

  await t.test('a rebuild of what was never built is its first load', async (t) => {
    const { code, stdout } = await run('rebuild', 'all')
    t.equal(code, 0)
    t.match(stdout, /^feed: rebuild done, generation 1 is live/m)
    t.match(stdout, /^integrity: rebuild done, generation 1 is live/m)
  })

  await t.test('rebuild, list, roll back, prune', async (t) => {
    const before = await dumpModels(folder.documents)
    const rebuilt = await run('rebuild', 'feed', '--json', '--max-rate', '100000')
    t.match(JSON.parse(rebuilt.stdout), [
      { projection: 'feed', state: 'done', generation: 2, order: { kind: 'rebuild', maxRate: 100_000 } },
    ])
    sameDump(await dumpModels(folder.documents), before)
    t.match((await run('generations', 'feed')).stdout, /feed +g1 +v\d+ +retired.*\nfeed +g2 +v\d+ +live/)
    t.match((await run('rebuild', 'feed', '--rollback')).stdout, /feed: rollback done, generation 1 is live at position/)
    t.match((await run('rebuild', 'feed', '--abort')).stdout, /there was nothing to abort/)
    t.match((await run('generations', 'feed', '--prune')).stdout, /dropped g2/)
    t.match(JSON.parse((await run('generations', '--json')).stdout).length, 5)
  })

  await t.test('dead letters', async (t) => {
    t.match(
      (await run('dead-letters', 'list')).stdout,
      /^projection +aggregate +position +since +error\nfeed +creation\/maze +\d+ +\S+Z +.*version 999 is unknown\n\n1 dead letter\.$/m,
    )
    const [letter] = JSON.parse((await run('dead-letters', 'list', 'feed', '--json')).stdout)
    t.match(letter, { aggregate: 'creation/maze' })
    const shown = await run('dead-letters', 'show', 'feed', 'creation/maze')
    t.match(
      shown.stdout,
      /^creation\/maze has 1 dead letter in feed\.\n\nPosition \d+, since [\s\S]*Error: .*999.*\nEvent: .*creation\.played\.v999.*\n$/,
    )
    const replayed = await run('dead-letters', 'replay', 'all')
    t.match(replayed.stdout, /feed: replay done, replayed 1 event of 1 aggregate: 1 still cannot be folded/)
    t.equal(replayed.code, 1, 'it is a dead letter as before')
    t.match(await run('dead-letters', 'discard', 'feed', '1', '--reason', 'mistyped'), { code: 1, stdout: /nothing was discarded/ })
    t.match((await run('dead-letters', 'discarded')).stdout, /^Nothing was discarded\.$/m)
    const discarded = await run('dead-letters', 'discard', 'feed', String(letter.position), '--reason', 'a test of ours')
    t.match(discarded.stdout, /discarded creation\/maze at position \d+: no dead letter is left/)
    t.match((await run('dead-letters', 'list', 'feed')).stdout, /^No dead letters\.$/m)
    t.match((await run('dead-letters', 'discarded', 'feed')).stdout, new RegExp(`feed +${letter.position} +\\S+Z +a test of ours`))
    t.match(
      (await run('explain', 'creation/maze', '--projection', 'feed')).stdout,
      /creation\.played {2}creation\/maze {2}sequence \d+ {2}\(discarded\)/,
    )
  })

  await t.test('redact', async (t) => {
    t.match(await run('redact', 'creator/ada'), { code: 2, stderr: /creator\/ada has not been removed/ })
    await folder.append(script.write(erased('ada')))
    t.match(await run('redact', 'creator/ada'), { code: 2, stderr: /has not come to the removal/ })
    await folder.project()
    t.match(await run('redact', 'creator/ada'), { code: 0, stdout: /gone from \d+ events; 3 creations were theirs/ })
    t.notOk((await folder.records()).some(({ payload }) => payload.includes('Tide clock')))
    t.equal((await run('rebuild', 'profiles')).code, 0)
  })

  await t.test('redact says what it leaves, and takes it when asked', async (t) => {
    const { last } = await folder.log.bounds()
    const sung = but({ ...liked('maze', 'ada'), data: { singer: 'ada', song: 'Lovelight' } }, { type: 'creation.sung.v1' })
    await folder.append(script.write(sung, edited('lost', { title: { en: 'Lovelight' } }), removed('lost')))
    await folder.project()
    const position = last + 1
    t.match(await run('redact', 'creator/ada'), {
      code: 0,
      stdout: new RegExp(`: 1 event about others, [^]*\n +${position} +creation/maze +creation\\.sung\\.v1\n.*--also ${position}\n`),
    })
    t.match(JSON.parse((await run('redact', 'creator/ada', '--json')).stdout), { left: [{ position, type: 'creation.sung.v1' }] })
    t.match(await run('redact', 'creator/ada', '--also', '1'), { code: 2, stderr: /no event at position 1 / })
    t.match(await run('redact', 'creator/ada', '--also', String(position)), {
      code: 0,
      stdout: /gone from 1 event; 3 creations were theirs\.\n$/,
    })
    t.match(await run('redact', 'creation/lost'), { code: 0, stdout: 'The words of creation/lost are gone from 1 event.\n' })
    t.notOk((await folder.records()).some(({ payload }) => payload.includes('Lovelight')))
    t.match(await run('redact', 'creation/maze'), { code: 2, stderr: /creation\/maze has not been removed/ })
  })

  await t.test('redact takes several at once, or all whose removal is there', async (t) => {
    const people = ['dora', 'emil', 'fay', 'gus', 'hal', 'ida', 'jo', 'kim', 'lou', 'max']
    const told = people.flatMap((id) => [
      registered(id, { bio: `The bio of ${id}` }),
      published(`c-${id}`, { by: id, title: { en: `A title of ${id}` } }),
    ])
    await folder.append(script.write(...told, ...people.slice(1).map((id) => erased(id))))
    await folder.project()
    const holds = async (id: string) => (await folder.records()).some(({ payload }) => payload.includes(` of ${id}"`))
    t.match(await run('redact', 'creator/emil', 'creator/dora'), { code: 2, stderr: /creator\/dora has not been removed/ })
    t.ok(await holds('emil'), 'all or none')
    t.match(await run('redact', 'creator/emil', 'creator/fay', 'creation/lost'), {
      code: 0,
      stdout: /^The words of 3 erased creators and creations are gone from 4 events\.$/m,
    })
    t.strictSame([await holds('emil'), await holds('fay'), await holds('gus')], [false, false, true])
    t.match(await run('redact', '--pending', 'creator/gus'), { code: 2, stderr: /or --pending without any/ })
    t.match(await run('redact', '--pending'), {
      code: 0,
      stdout: /^The words of 10 erased creators and creations are gone from 14 events; \d+ creations were theirs\.$/m,
    })
    t.strictSame(await Promise.all(people.map(holds)), [true, ...people.slice(1).map(() => false)])
    t.match(await run('redact', '--pending'), { code: 0, stdout: /gone from 0 events/ })
    await folder.append(script.write(erased('dora')))
    t.match(await run('redact', '--pending'), {
      code: 0,
      stdout: /gone from 0 events.*\n1 creator has to wait, first because \S+ has not come to the removal/,
    })
    await folder.project()
    t.match(await run('redact', '--pending'), { code: 0, stdout: /^The words of 11 erased creators and creations are gone from 2 events/ })
  })

  await t.test('what cannot be meant', async (t) => {
    const wrong: [string[], RegExp][] = [
      [['rebuild'], /name a projection \(feed, .*\) or "all"/],
      [['rebuild', 'fed'], /there is no projection "fed", only feed/],
      [['rebuild', 'feed', 'tags'], /"tags" is one word too many/],
      [['rebuild', 'feed', '--abort', '--rollback'], /exclude each other/],
      [['rebuild', 'feed', '--max-rate', '0'], /at least 1/],
      [['generations', 'nope'], /there is no projection "nope"/],
      [['dead-letters', 'burn'], /none of list, show, replay, discard, discarded/],
      [['dead-letters', 'list', 'feed', 'tags'], /"tags" is one word too many/],
      [['dead-letters', 'show', 'all', 'creation/maze'], /one at a time/],
      [['dead-letters', 'replay', 'feed', '--limit', '0'], /--limit must be at least 1/],
      [['dead-letters', 'replay', 'feed', 'creation/none'], /creation\/none has no dead letters in feed/],
      [['dead-letters', 'discard', 'fed', '3', '--reason', 'y'], /there is no projection "fed", only feed/],
      [['dead-letters', 'show', 'feed'], /give a projection and an aggregate/],
      [['dead-letters', 'show', 'feed', 'creation/none'], /creation\/none has no dead letters in feed/],
      [['dead-letters', 'discard', 'feed', '3'], /say why with --reason/],
      [['dead-letters', 'discard', 'feed', 'x', '--reason', 'y'], /the position of an event/],
      [['dead-letters', 'discard', '3', '--reason', 'y'], /give a projection and the position of an event/],
      [['redact', 'category/c1'], /give creators or creations/],
      [['redact', 'creator/ada', '--also', 'x'], /--also takes positions/],
      [['redact', 'creation/c1', '--also', '1'], /--also is for one creator/],
    ]
    for (const [args, stderr] of wrong) t.match(await run(...args), { code: 2, stderr }, args.join(' '))
    t.match(await run('rebuild', 'tags', '--rollback'), { code: 1, stdout: /tags: rollback failed, there is no earlier generation/ })
  })
})

t.test('dead letters of several aggregates, and of several events of one', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  const run = (...args: string[]) => vitrine(['dead-letters', ...args, '--data-dir', folder.path])
  const { last } = await folder.log.bounds()
  const from = last + COMMUNITY.length
  await folder.append(script.write(...COMMUNITY, poison(played('maze')), poison(played('maze')), poison(played('tides'))))
  await folder.project()
  t.match(
    (await run('list')).stdout,
    new RegExp(`/maze +${from + 1} [^]*/maze +${from + 2} [^]*/tides +${from + 3} [^]*\n3 dead letters\\.\n`),
  )
  t.match(await run('replay', 'feed', '--limit', '1'), { code: 1, stdout: /replayed 2 events of 1 aggregate: 2 still cannot be folded/ })
  t.match(await run('discard', 'all', String(from + 3), '--reason', 'a test'), { code: 0, stdout: /^feed: discard done, .*\n$/ })
  t.match(await run('discard', 'all', String(from + 3), '--reason', 'a test'), { code: 0, stdout: /^feed: .* decided before\n$/ })
  t.match(await run('discard', 'all', '1', '--reason', 'a test'), { code: 1, stdout: /(\w+: discard failed, .*\n){5}/ })
})

t.test('a dead letter cannot send control characters to the terminal', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY, poison(edited('maze', { title: { en: 'Maze\u009b31m' } })))
  await folder.project()
  const { stdout } = await vitrine(['dead-letters', 'show', 'feed', 'creation/maze', '--data-dir', folder.path])
  t.match(stdout, 'Maze\\u009b31m')
  t.notMatch(stdout, '\u009b')
})

t.test('with a running service it asks the leader', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  const serving = await LocalServing.start(t, folder.path)
  await serving.ready()
  for (const args of [['feed'], ['feed', '--rollback'], ['feed', '--abort'], ['tags']]) {
    const { code, stdout, stderr } = await vitrine(['rebuild', ...args, '--data-dir', folder.path])
    t.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
  }
  await folder.append(script.write(edited('tides', { title: { en: 'Tide dial' } })))
  await folder.caughtUp()
  t.match(await (await fetch(`http://127.0.0.1:${serving.api}/public/share/community?q=dial`)).text(), /Tide dial/)
  t.equal(await serving.end(), 0)
})

/** What requests are kept in goes by another name: until it has its own again, nothing can be read of them. */
const rename = (folder: DataFolder, from: string, to: string): void =>
  onControl(folder, (db) => {
    db.exec(`ALTER TABLE notes RENAME COLUMN ${from} TO ${to}`)
  })

/** Grows with every new leader, also one that has given up by now. */
const epochIn = (folder: DataFolder): number =>
  onControl(folder, (db) => {
    const [epoch] = db.prepare<[number]>("SELECT epoch FROM leases WHERE projection = 'feed'").one()
    return epoch
  })

function onControl<T>({ path }: DataFolder, work: (db: Connection) => T): T {
  const db = openDatabase(join(path, 'models', 'control.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

t.test('a command that joins a rebuild running at another rate says so', async (t) => {
  const folder = await builtFolder(t)
  const rebuild = (...args: string[]) => new RunningCommand(['rebuild', 'feed', ...args, '--data-dir', folder.path])
  const first = rebuild(...SLOWLY)
  await rebuildUnderWay(folder)
  const others = [rebuild(), rebuild('--max-rate', '5000')]
  for (const other of others)
    await other.until('stderr', /^feed is being rebuilt already, at most 1 event per second, and goes on like that: .*--abort.*\n/)
  t.equal(first.stderr, '')
  t.match(await vitrine(['rebuild', 'feed', '--abort', '--data-dir', folder.path]), { code: 0, stdout: /aborted rebuild/ })
  for (const { ended } of [first, ...others]) t.match(await ended, { code: 1, stdout: /^feed: rebuild failed/ })
})

t.test('a command keeps asking until the store answers again', async (t) => {
  const folder = await builtFolder(t)
  const running = vitrine(['rebuild', 'feed', '--max-rate', '30', '--data-dir', folder.path])
  await rebuildUnderWay(folder)
  const before = epochIn(folder)
  rename(folder, 'value', 'away')
  // It starts leading again after each error, and reads the request far more often.
  await eventually(async () => epochIn(folder) > before + 1)
  rename(folder, 'away', 'value')
  t.match(await running, { code: 0, stdout: /^feed: rebuild done/, stderr: '' })
})

t.test('when that takes too long it says that the request goes on', async (t) => {
  const folder = await builtFolder(t)
  const own = new TestProcess()
  const args = { config: readConfig({ DATA_DIR: folder.path }), io: new Io(own) }
  const asked = submitAndWait(args, [feedProjection], { kind: 'rebuild', maxRate: 1 }, 0)
  const refused = t.rejects(asked, /no such column/)
  await rebuildUnderWay(folder)
  rename(folder, 'value', 'away')
  await refused
  t.match(
    own.stderr.text,
    /^The rebuild of feed goes on without this command: .* the next projector .*; .* "vitrine rebuild feed --abort" ends it\.\n$/,
  )
  rename(folder, 'away', 'value')
  t.equal((await new RequestStore(folder.documents).open('feed')).length, 1, 'it does')
})
