/** A generation from another log goes live only when that is asked for, and then without what was removed. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { liveGeneration, withGeneration } from '../../../src/engine/fold/open-generation.js'
import { buildGeneration } from '../../../src/engine/generations/build-generation.js'
import { Projector, type ProjectorOptions } from '../../../src/engine/leader/projector.js'
import { RequestStore } from '../../../src/engine/requests/request-store.js'
import { eventually } from '../../ports/subject.js'
import { erased, liked, published, registered } from '../../spec/events.js'
import { ToldLog } from '../../spec/log.js'
import { memoryStore } from '../../support/memory-store.js'

const OLDER = [registered('ann'), published('c1', { by: 'ann' }), registered('bob'), published('c2', { by: 'bob' })]
const ACCEPT = { kind: 'rebuild', maxRate: null, acceptLog: true } as const
const SILENT = pino({ level: 'silent' })

/** The models know that Ann is erased. */
async function erasedModels(t: Test) {
  const store = memoryStore()
  const project = (log: ToldLog, code = [feedProjection], options: ProjectorOptions = {}) => {
    const projector = new Projector(code, log, store, SILENT, options)
    projector.start()
    t.teardown(() => projector.stop())
    return projector
  }
  const position = async () => {
    const live = await liveGeneration(store, 'feed')
    return live === null ? 0 : (await withGeneration(store, live, [], (opened) => opened.checkpoint())).position
  }
  const first = project(new ToldLog(...OLDER, erased('ann')))
  await eventually(async () => (await position()) === 5)
  await first.stop()
  const outcome = (id: string) => eventually(async () => (await new RequestStore(store).find(id))?.outcome)
  const ask = async (version = feedProjection.version) => outcome((await new RequestStore(store).submit('feed', version, ACCEPT)).id)
  return { store, project, position, ask, outcome }
}

t.test('a new version is not built from another log by itself', async (t) => {
  const { store, project, outcome } = await erasedModels(t)
  const newer = { ...feedProjection, version: feedProjection.version + 1 }
  project(new ToldLog(...OLDER), [newer], { onVersionChange: 'rebuild' })
  const { id } = await eventually(async () => (await new RequestStore(store).all('feed'))[0])
  t.match(await outcome(id), /has no event at position 5/)
  t.match(await liveGeneration(store, 'feed'), { number: 1, version: feedProjection.version })
})

t.test('a new version accepts another log that has the removals', async (t) => {
  const { project, ask, position } = await erasedModels(t)
  const newer = { ...feedProjection, version: feedProjection.version + 1 }
  const log = new ToldLog(...OLDER)
  project(log, [newer])
  t.match(await ask(newer.version), /lacks removals that feed knows, such as of creator\/ann/)
  t.equal(await position(), 5)
  await log.tell(liked('c2', 'cleo'), erased('ann'), liked('c2', 'dora'))
  t.match(await ask(newer.version), 'generation 3 is live at position 7')
})

t.test('a log that is replaced while a rebuild reads it, which the leader has not noticed: the rebuild does not go live', async (t) => {
  const { store, project, outcome, position } = await erasedModels(t)
  const log = new ToldLog(...OLDER, erased('ann'))
  const older = new ToldLog(...OLDER)
  const projection = withDeadLetters(feedProjection)
  // It has compared the log just before.
  const fromOlder: ProjectorOptions['buildGeneration'] = (job, signal, report) => {
    log.read = (...args) => older.read(...args)
    return buildGeneration({ projection, store, log: older }, { ...job, replaces: null }, signal, report)
  }
  project(log, [feedProjection], { buildGeneration: fromOlder })
  const { id } = await new RequestStore(store).submit('feed', feedProjection.version, { kind: 'rebuild', maxRate: null })
  t.match(await outcome(id), /has no event at position 5/)
  t.equal(await position(), 5)
})
