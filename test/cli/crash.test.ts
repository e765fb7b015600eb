/** Killed again and again in the middle of projecting, the service ends with the documents of an undisturbed run. */
import t from 'tap'
import { demoLog } from '../../src/demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { DataFolder } from '../serving/data-folder.js'
import { everythingIn } from '../serving/everything.js'
import { Serving } from '../serving/program.js'
import { sameDump } from '../support/dump.js'

t.setTimeout(240_000)

const RECORDS: readonly NewRecord[] = [...demoLog({ creators: 200, creations: 2000, seed: 5, webUrl: 'http://localhost:3001' })]
/** What is there before the start is loaded; the rest comes while the service is live. */
const LOADED = Math.floor(RECORDS.length * 0.8)

t.test('the same documents, whatever happened on the way', async (t) => {
  t.comment(`${RECORDS.length} events`)
  const undisturbed = await DataFolder.open(t)
  await undisturbed.append(RECORDS)
  await undisturbed.project()
  const expected = await everythingIn(undisturbed.documents)
  t.ok(expected.size > 20_000, `${expected.size} documents and lists`)

  const folder = await DataFolder.open(t)
  const end = async () => (await folder.log.bounds()).last
  const startAndKillAt = async (moment: string, position: number) => {
    const serving = await Serving.start(t, folder.path)
    await folder.reached('feed', position)
    t.equal(await serving.end('SIGKILL'), 'SIGKILL', `${moment}: killed at ${await folder.position('feed')} of ${await end()}`)
  }

  await folder.append(RECORDS.slice(0, LOADED))
  await startAndKillAt('when loading begins', 0)
  await startAndKillAt('after the first commit of loading', 1)
  await startAndKillAt('later in loading', LOADED / 3)

  const third = Math.ceil((RECORDS.length - LOADED) / 3)
  const undisturbedStart = await Serving.start(t, folder.path)
  await undisturbedStart.ready()
  t.equal(await undisturbedStart.end('SIGTERM'), 0, 'once it is allowed to finish loading')
  for (const part of [0, 1, 2]) {
    const before = await end()
    await folder.append(RECORDS.slice(before, before + third))
    await startAndKillAt('while following the log', before + 1)
  }

  const last = await Serving.start(t, folder.path)
  await folder.caughtUp()
  t.equal(await last.end('SIGTERM'), 0)
  t.equal(await end(), RECORDS.length, 'to the end of the log')
  sameDump(await everythingIn(folder.documents), expected)
  t.pass('all documents, indexes and checkpoints are equal')
})
