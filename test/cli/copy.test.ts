/** `vitrine copy`: the embedded log moves to JetStream, and everything goes on there. */
import t, { type Test } from 'tap'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { START } from '../../src/events/ids.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { startNats } from '../servers/nats.js'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { LocalServing } from '../serving/local-serving.js'
import { liked } from '../spec/events.js'
import { Script } from '../spec/script.js'

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
    t.strictSame(await all(target), await folder.records(), 'order, positions, ids and append times are kept')

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

  await t.test('says so when there is no address, a wrong one, or nobody there', async (t) => {
    const folder = await DataFolder.open(t)
    const complaint = async (...args: string[]) => (await vitrine(['copy', '--data-dir', folder.path, ...args])).stderr
    t.match(await complaint(), /say where to: --to nats:\/\/host:4222/)
    t.match(await complaint('--to', 'http://a'), /"http:\/\/a" is not an address such as nats/)
    t.match(
      await complaint('--to', 'nats://user:hush@127.0.0.1:1'),
      /^vitrine copy: NATS cannot be reached at nats:\/\/127\.0\.0\.1:1: .*\n$/,
    )
  })

  function openLog(t: Test, stream: string, prefix?: string): JetStreamEventLog {
    const log = new JetStreamEventLog({ servers: url, stream, ...(prefix === undefined ? {} : { prefix }) })
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
