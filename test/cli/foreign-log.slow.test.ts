/** The embedded log came back older, or is another: nobody who was erased is seen again, whatever an operator does. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import { BEFORE, LOST } from '../docs/lost-log.js'
import { ErasedCaller } from '../harness/erased-caller.js'
import { Serving } from '../harness/program.js'
import { ReplaceableLog } from '../harness/replaceable-log.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { registered } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { projections } from '../support/built-in-models.js'

const OTHER = new Script().write(registered('ben')).map((record) => ({ ...record, id: `other ${record.id}` }))

await t.test('requests that would read the log are refused, and the others carried out', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  await place.replaceLog(OTHER)
  await place.serve()
  for (const command of [
    ['rebuild', 'feed'],
    ['rebuild', 'feed', '--rollback'],
    ['dead-letters', 'replay', 'feed'],
    ['dead-letters', 'discard', 'feed', '1', '--reason', 'a test', '--folded'],
  ]) {
    const { code, stdout } = await place.run(...(command as [string, ...string[]]))
    t.equal(code, 1, command.join(' '))
    t.match(stdout, /failed, The log has (no|another) event at position/, command.join(' '))
  }
  for (const command of [
    ['rebuild', 'feed', '--abort'],
    ['generations', '--prune'],
  ])
    t.match(await place.run(...(command as [string, ...string[]])), { code: 0 }, command.join(' '))
})

await t.test('the leader does not let a generation go live that lacks a removal, whoever asks', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  await place.replaceLog(BEFORE)
  const { api } = await place.serve()
  const caller = new ErasedCaller(t, api)
  const outcomes = await place.with(async (_log, documents) => {
    const requests = new RequestStore(documents)
    const order = { kind: 'rebuild', maxRate: null, acceptLog: true } as const
    const asked = await Promise.all(projections.map(({ name, version }) => requests.submit(name, version, order)))
    return Promise.all(asked.map(({ id }) => eventually(async () => (await requests.find(id))?.outcome)))
  })
  for (const [i, { name }] of projections.entries()) {
    if (name === 'integrity') t.match(outcomes[i], /is live/, 'it holds nobody')
    else t.match(outcomes[i], new RegExp(`This log lacks removals that ${name} knows, such as of creator/ada`))
  }
  t.match(await place.run('rebuild', 'all', '--accept-log', '--publish-removals'), { code: 0 }, 'the others are still known to be foreign')
  t.match(await place.run('verify', 'all'), { code: 0 })
  await caller.stop()
  t.strictSame(caller.seen, [])
})

await t.test('killed half-way, it is continued; nobody is seen meanwhile', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  await place.replaceLog(BEFORE)
  const first = await place.serve()
  const caller = new ErasedCaller(t, first.api)
  const command = place.run('rebuild', 'all', '--accept-log', '--publish-removals', '--max-rate', '15')
  await place.with((_log, documents) =>
    eventually(async () =>
      (await new RequestStore(documents).all('feed')).some(({ phase, position }) => phase === 'loading' && position > 0),
    ),
  )
  await first.end('SIGKILL')
  caller.port = (await place.serve()).api
  t.match(await command, { code: 0, stdout: /^feed: rebuild done/m })
  t.match(await place.run('verify', 'all'), { code: 0 })
  await caller.stop()
  t.strictSame(caller.seen, [])
})

await t.test('a lost model is not loaded from a log that the others do not know', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  await place.replaceLog(BEFORE)
  for (const file of await readdir(join(place.path, 'models'))) if (file.startsWith('profiles_')) await rm(join(place.path, 'models', file))
  const service = await Serving.start(t, place.path)
  const caller = new ErasedCaller(t, service.api)
  await eventually(async () => caller.answers > 50)
  t.match(await request(service.api, '/public/share/user/ben'), { statusCode: 503 })
  t.match(await place.run('rebuild', 'profiles'), { code: 1, stdout: /failed, The log has no event at position 40, where feed left off/ })
  t.match(await place.run('rebuild', 'all', '--accept-log', '--publish-removals'), { code: 0 })
  await eventually(async () => (await request(service.api, '/public/share/user/ben')).statusCode === 200)
  await caller.stop()
  t.strictSame(caller.seen, [])
})

await t.test('discards of another log leave nothing out of this one', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  const afterAll = BEFORE.length + 1
  const discard = (position: number) =>
    place.run('dead-letters', 'discard', 'all', String(position), '--folded', '--reason', `the former ${position}`)
  for (const position of [2, afterAll]) t.match(await discard(position), { code: 0 })
  await place.replaceLog(BEFORE)
  const caller = new ErasedCaller(t, (await place.serve()).api)
  const { code, stderr } = await place.run('rebuild', 'all', '--accept-log', '--publish-removals')
  t.equal(code, 0, stderr)
  t.match(stderr, `The discard of position ${afterAll} in feed was of the former log and is gone: the former ${afterAll}`)
  t.notMatch(stderr, 'The discard of position 2 ', 'that event is in this log')
  t.match(await place.run('verify', 'all'), { code: 0 })
  await caller.stop()
  t.strictSame(caller.seen, [])
})

await t.test('an empty log is not accepted, nor one model alone', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  t.match(await place.run('rebuild', 'feed', '--accept-log'), { code: 2, stderr: /is for "rebuild all"/ })
  t.match(await place.run('rebuild', 'all', '--publish-removals'), { code: 2, stderr: /needs --accept-log/ })
  t.match(await place.run('rebuild', 'all', '--accept-log'), { code: 0, stdout: /No model was built from another log/ })
  await place.replaceLog([])
  t.match(await place.run('rebuild', 'all', '--accept-log'), { code: 2, stderr: /the log is empty/ })
})
