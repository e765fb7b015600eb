/** What is on servers, copied into files and put back: on other servers, and on a laptop. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { recordDiscard } from '../../src/engine/dead-letters/discards.js'
import { type EventLog, START } from '../../src/ports/event-log.js'
import { folderWith, holdsBytes } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { request } from '../harness/sockets.js'
import { erased, liked } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

const recordsOf = async (log: EventLog) =>
  (await log.read(START, 10_000)).map(({ position, id, subject, payload, appendedAt }) => ({ position, id, subject, payload, appendedAt }))

/** A cluster that holds a community, the folder of its backup, and an empty cluster. */
async function backedUp(t: Test) {
  const [from, to] = [await Cluster.start(t), await Cluster.start(t)]
  if (from === null || to === null) return null
  const script = new Script()
  await from.log.append(script.write(...COMMUNITY))
  await recordDiscard(from.documents, 'feed', 3, 'a test of ours')
  const folder = join(folderWith(), 'backup')
  const made = await from.run('backup', folder)
  t.match(made, { code: 0, stdout: /^2 files copied/ }, made.stderr)
  return { from, to, folder, script }
}

await t.test('a backup of servers, restored on others: the same log, what was decided, and models that agree', async (t) => {
  const found = await backedUp(t)
  if (found === null) return
  const { from, to, folder } = found
  t.strictSame((await readdir(folder)).sort(), ['backup.json', 'log', 'models'])
  const refused = await from.run('backup', `${folder}-2`, '--models')
  t.match(refused, { code: 2, stderr: /models are copied only where they and the log are embedded/ })
  t.match(await to.run('backup', `${folder}-3`), { code: 2, stderr: /There is no stream APP_EVENTS/ })

  const restored = await to.run('restore', folder)
  t.match(restored, { code: 0, stdout: /restored to the stream APP_EVENTS/, stderr: /without --removals/ })
  t.strictSame(await recordsOf(to.log), await recordsOf(from.log))
  t.match(JSON.parse((await to.run('dead-letters', 'discarded', '--json')).stdout), [{ position: 3, reason: 'a test of ours' }])
  t.match(await to.run('restore', folder), { code: 0 }, 'again: nothing to do')
  const serving = await to.serve(t, 'query,project,ask')
  await serving.ready()
  await to.caughtUp()
  t.match(await to.verify(), { code: 0 })
  t.equal((await request(serving.api, '/public/share/app/cleo/winter-maze')).statusCode, 200)
  t.equal(await serving.end('SIGTERM'), 0)
  await to.log.append(new Script().write(liked('maze', 'zoe')).map((record) => ({ ...record, id: 'later' })))
  t.match(await to.run('restore', folder), { code: 2, stderr: /the target holds something else: it is longer than this log/ })
})

await t.test('who was removed after a backup of servers is not back, on servers and on a laptop', async (t) => {
  const found = await backedUp(t)
  if (found === null) return
  const { from, to, folder, script } = found
  await from.log.append(script.write(erased('ada')))
  t.match(await from.run('redact', 'creator/ada'), { code: 0 })
  const newer = `${folder}-newer`
  t.match(await from.run('backup', newer), { code: 0 })
  t.notOk(await holdsBytes(newer, 'Ada'), 'what was redacted is not in a later backup')
  const applied = /1 later removal and \d+ redactions applied/
  t.match(await to.run('restore', folder, '--removals', newer), { code: 0, stdout: applied, stderr: '' })
  const path = join(folderWith(), 'data')
  t.match(await vitrine(['restore', folder, '--removals', newer, '--data-dir', path]), { code: 0, stdout: applied })
  const laptop = await DataFolder.open(t, path)
  const expected = await recordsOf(from.log)
  t.strictSame(await recordsOf(to.log), expected)
  t.strictSame(await recordsOf(laptop.log), expected)
})

await t.test('a log that lacks an event is not copied with other positions', async (t) => {
  const found = await backedUp(t)
  if (found === null) return
  const { from, folder } = found
  const connection = await connect({ servers: from.nats.url })
  const { streams } = await connection.jetstreamManager()
  await streams.deleteMessage('APP_EVENTS', 5)
  await connection.close()
  const newer = `${folder}-newer`
  const refused = await from.run('backup', newer)
  t.match(refused, { code: 2, stderr: /this log lacks events between 0 and \d+: a copy could not keep the positions/ })
  t.strictSame(await readdir(join(folder, '..')), ['backup'], 'nothing is left of it')
})
