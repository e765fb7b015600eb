/** Killed again and again in the middle of projecting, the service ends with the documents of an undisturbed run. */
import t from 'tap'
import { demoLog } from '../../demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { DataFolder } from '../harness/data-folder.js'
import { dumpModels } from '../harness/dump-models.js'
import { Serving } from '../harness/program.js'
import { sameDump } from '../support/dump.js'

/** Long enough that loading takes more than one commit. */
const RECORDS: readonly NewRecord[] = [...demoLog({ creators: 400, creations: 4000, seed: 5, webUrl: 'http://localhost:3001' })]
/** The last of them come while the service is live, in so many parts of so many events: each is more than one commit. */
const PARTS = 2
const PART = 18_000
const LOADED = RECORDS.length - PARTS * PART

t.test('the same documents after any crash', async (t) => {
  t.comment(`${RECORDS.length} events`)
  const undisturbed = await DataFolder.open(t)
  await undisturbed.append(RECORDS)
  await undisturbed.project()
  const expected = await dumpModels(undisturbed.documents)
  t.ok(expected.size > 30_000, `${expected.size} documents and lists`)

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
  const unhindered = await Serving.start(t, folder.path)
  await unhindered.ready()
  t.equal(await unhindered.end('SIGTERM'), 0, 'once it may finish loading')

  while ((await end()) < RECORDS.length) {
    const before = await end()
    await folder.append(RECORDS.slice(before, before + PART))
    await startAndKillAt('while following the log', before + 1)
  }

  const last = await Serving.start(t, folder.path)
  await last.ready()
  await folder.caughtUp()
  t.equal(await last.end('SIGTERM'), 0)
  sameDump(await dumpModels(folder.documents), expected)
  t.pass('all documents, indexes and checkpoints are equal')
})
