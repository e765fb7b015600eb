/** Killed again and again in the middle of projecting, the service ends with the documents of an undisturbed run. */
import t, { type Test } from 'tap'
import { demoLog } from '../../src/demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import type { Survey } from '../../src/projector/survey.js'
import { DataFolder } from '../serving/data-folder.js'
import { everythingIn } from '../serving/everything.js'
import { Serving } from '../serving/program.js'
import { sameDump } from '../support/dump.js'

t.setTimeout(240_000)

const RECORDS: readonly NewRecord[] = [...demoLog({ creators: 240, creations: 2400, seed: 5, webUrl: 'http://localhost:3001' })]
/** What is there before the start is loaded; the rest comes while the service is live. */
const LOADED = Math.floor(RECORDS.length * 0.7)

const feedOf = ({ projections }: Survey) => projections.find(({ projection }) => projection === 'feed')

/** Moments to die at. Each is waited for in a process of its own, which is killed as soon as it comes. */
const WHILE_LOADING: [moment: string, (standing: Survey) => boolean][] = [
  ['before the first commit', ({ projections }) => projections.some(({ state }) => state === 'loading')],
  ['after some commits', (standing) => (feedOf(standing)?.position ?? 0) >= 5000],
  ['late in loading', (standing) => (feedOf(standing)?.position ?? 0) >= 15_000],
  ['when the first model goes live', ({ projections }) => projections.some(({ state }) => state === 'live')],
]

async function killedAt(t: Test, folder: DataFolder, moment: string, described: (standing: Survey) => boolean): Promise<void> {
  const serving = await Serving.start(t, folder.path)
  await folder.until(described)
  t.equal(await serving.end('SIGKILL'), 'SIGKILL', `killed ${moment}`)
  const survey = feedOf(await folder.standing())
  t.comment(`feed: ${survey?.state} at ${survey?.position} of ${(await folder.log.bounds()).last}`)
}

t.test('the same documents, whatever happened on the way', async (t) => {
  t.comment(`${RECORDS.length} events`)
  const undisturbed = await DataFolder.open(t)
  await undisturbed.append(RECORDS)
  await undisturbed.project()
  const expected = await everythingIn(undisturbed.documents)
  t.ok(expected.size > 20_000, `${expected.size} documents and lists`)

  const folder = await DataFolder.open(t)
  await folder.append(RECORDS.slice(0, LOADED))
  for (const [moment, described] of WHILE_LOADING) await killedAt(t, folder, moment, described)

  const live = await Serving.start(t, folder.path)
  await live.ready()
  const rest = (RECORDS.length - LOADED) / 3
  for (const part of [0, 1, 2]) {
    const before = (await folder.log.bounds()).last
    await folder.append(RECORDS.slice(LOADED + Math.ceil(part * rest), LOADED + Math.ceil((part + 1) * rest)))
    const position = before + Math.floor(rest / 2)
    const serving = part === 0 ? live : await Serving.start(t, folder.path)
    await folder.until((standing) => (feedOf(standing)?.position ?? 0) >= position)
    t.equal(await serving.end('SIGKILL'), 'SIGKILL', `killed while following the log, part ${part + 1}`)
  }

  const last = await Serving.start(t, folder.path)
  await folder.caughtUp()
  t.equal(await last.end('SIGTERM'), 0)
  sameDump(await everythingIn(folder.documents), expected)
  t.pass('all documents, indexes and checkpoints are equal')
})
