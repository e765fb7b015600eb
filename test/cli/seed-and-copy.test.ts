/** What fills a log: `vitrine seed` and `copy`. */
import t, { type Test } from 'tap'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { type LogRecord, START } from '../../src/ports/event-log.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { PATIENT, startNats } from '../servers/nats.js'
import { liked } from '../spec/events.js'
import { Script } from '../spec/script.js'

const seed = (folder: DataFolder, ...args: string[]) =>
  vitrine(['seed', '--data-dir', folder.path, '--creators', '12', '--creations', '40', ...args])

/** Without what only this log knows. */
const asWritten = ({ storedAt, ...record }: LogRecord) => record

await t.test('seeding is deterministic', async (t) => {
  const [one, two, other] = [await DataFolder.open(t), await DataFolder.open(t), await DataFolder.open(t)]
  const first = await seed(one)
  t.match(first, { code: 0, stderr: '', stdout: /^\d+ events written, the log ends at \d+\.\n$/ })
  await seed(two)
  await seed(other, '--seed', '2')
  const records = (await one.records()).map(asWritten)
  t.ok(records.length > 100, `${records.length} events`)
  t.ok(JSON.stringify((await two.records()).map(asWritten)) === JSON.stringify(records), 'two folders, equal logs')
  t.notOk(JSON.stringify((await other.records()).map(asWritten)) === JSON.stringify(records), 'another seed, another community')

  await t.test('a log with events is left alone unless told, and seeding twice adds nothing', async (t) => {
    t.match(await seed(one), { code: 2, stdout: '', stderr: /^vitrine seed: the log is not empty, it ends at \d+: --append [^\n]+\n$/ })
    t.equal((await one.records()).length, records.length)
    const { code, stdout } = await seed(one, '--append', '--json')
    t.equal(code, 0)
    t.strictSame(JSON.parse(stdout), { appended: 0, duplicates: records.length, last: records.length })
  })

  await t.test('with --if-empty a log with events is no error, and stays as it is', async (t) => {
    t.match(await seed(one, '--if-empty', '--seed', '2'), {
      code: 0,
      stderr: '',
      stdout: `0 events written, the log ends at ${records.length}.\n`,
    })
    t.equal((await one.records()).length, records.length)
    const fresh = await DataFolder.open(t)
    t.match(await seed(fresh, '--if-empty'), { code: 0, stdout: first.stdout })
    t.match(await seed(one, '--if-empty', '--append'), { code: 2, stderr: /exclude each other/ })
  })
})

await t.test('a community without creators is valid, too', async (t) => {
  const folder = await DataFolder.open(t)
  const { code } = await vitrine(['seed', '--data-dir', folder.path, '--creators', '0', '--creations', '0'])
  t.equal(code, 0)
})

const server = await startNats(t)

if (server !== null) {
  const { url } = server
  const script = new Script()
  const written = [...script.write(...COMMUNITY)].map((record, i) => ({ ...record, appendedAt: 1_790_000_000_000 + i }))
  const copyOf = (folder: DataFolder, stream: string) =>
    vitrine(['copy', '--to', url, '--data-dir', folder.path, '--nats-stream', stream, '--json'])

  await t.test('moves to an empty stream, goes on after an interruption, and leads to the same answers', async (t) => {
    const folder = await DataFolder.open(t)
    await folder.append(written)
    await folder.project()
    const before = await answersOf(t, folder.path)

    // As if it had been interrupted.
    const target = openLog(t, 'APP_EVENTS')
    await target.append(written.slice(0, 3))
    t.match(await copyOf(folder, 'APP_EVENTS'), { code: 0, stdout: `{"copied":${written.length - 3},"last":${written.length}}\n` })
    t.strictSame(
      (await all(target)).map(asWritten),
      (await folder.records()).map(asWritten),
      'order, positions, ids and append times are kept',
    )

    t.match(await copyOf(folder, 'APP_EVENTS'), { code: 0, stdout: `{"copied":0,"last":${written.length}}\n` }, 'again: nothing to do')
    t.strictSame(await answersOf(t, folder.path, '--nats-url', url), before, 'the models go on where they were')

    await target.append([...script.write(liked('c_1', 'u_new'))])
    const refused = await copyOf(folder, 'APP_EVENTS')
    t.equal(refused.code, 2)
    t.match(refused.stderr, /the target holds something else: it is longer than this log/)
  })

  await t.test('refuses a stream that holds something else, and writes nothing to it', async (t) => {
    const folder = await DataFolder.open(t)
    await folder.append(written)
    const target = openLog(t, 'OTHER', 'other')
    await target.append([{ id: 'stranger', subject: 'creation/x', payload: '{}' }])
    // The stream was made for other subjects, so say what is wrong with it first.
    const unfit = await copyOf(folder, 'OTHER')
    t.equal(unfit.code, 2)
    t.match(unfit.stderr, /The stream OTHER is not fit to be the event log: its subjects are other\.> and must include app\.events\.>/)
    t.equal((await target.bounds()).last, 1)
  })

  await t.test('refuses another log under the same name', async (t) => {
    const folder = await DataFolder.open(t)
    await folder.append([{ id: 'mine', subject: 'creation/x', payload: '{}' }, ...written])
    const refused = await copyOf(folder, 'APP_EVENTS')
    t.equal(refused.code, 2)
    t.match(refused.stderr, /the target holds something else: another event at position 1\. Copy to an empty stream\./)
  })

  await t.test('says so when there is no URL, a wrong one, or no server', async (t) => {
    const folder = await DataFolder.open(t)
    const complaint = async (...args: string[]) => (await vitrine(['copy', '--data-dir', folder.path, ...args])).stderr
    t.match(await complaint(), /say where to: --to nats:\/\/host:4222/)
    t.match(await complaint('--to', 'http://a'), /--to is no address such as nats/)
    t.match(
      await complaint('--to', 'nats://user:hush@127.0.0.1:1'),
      /^vitrine copy: NATS cannot be reached at nats:\/\/127\.0\.0\.1:1: .*\n$/,
    )
  })

  function openLog(t: Test, stream: string, prefix?: string): JetStreamEventLog {
    const log = new JetStreamEventLog({ ...PATIENT, servers: url, stream, ...(prefix === undefined ? {} : { prefix }) })
    t.teardown(() => log.close())
    return log
  }
}

function all(log: JetStreamEventLog): Promise<LogRecord[]> {
  return log.read(START, 1_000_000)
}

async function answersOf(t: Test, folder: string, ...args: string[]): Promise<unknown[]> {
  const serving = await LocalServing.start(t, folder, ...args)
  await serving.ready()
  const answers = ['/public/share/community', '/public/share/tags', '/public/share/community/landing'].map(async (path) => {
    const response = await fetch(`http://127.0.0.1:${serving.api}${path}`)
    return [response.status, response.headers.get('service-position'), await response.json()]
  })
  const found = await Promise.all(answers)
  await serving.end()
  return found
}

await t.test('models whose events were written are remembered before a projector has run', async (t) => {
  const env = { MODELS: './examples/shelves' }
  const opened = {
    ...{ specversion: '1.0', id: 'x', source: '/test', type: 'shelf.opened.v1', subject: 'shelf/s_1', time: '2026-03-01T00:00:00Z' },
    ...{ sequence: 1, data: { shelfId: 's_1', creatorId: 'ada', title: 'Plums' } },
  }
  const writing: [args: string[], input: string][] = [
    [['seed', '--creators', '3', '--creations', '3'], ''],
    [['publish', '-'], JSON.stringify(opened)],
  ]
  for (const [args, input] of writing) {
    const { path } = await DataFolder.open(t)
    const run = (args: string[], env: Record<string, string>) => vitrine([...args, '--data-dir', path], { env, input })
    if (args.includes('publish')) {
      t.equal((await run([...args, '--dry-run'], env)).code, 0)
      t.match(await run(['models'], {}), { code: 0 }, 'a dry run remembers nothing')
    }
    t.match(await run(args, env), { code: 0 })
    t.match(await run(['redact', 'creator/ada'], {}), { code: 2, stderr: /works with other models \(missing here: shelves/ })
  }
})
