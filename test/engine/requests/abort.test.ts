/** An abort ends the work at the next step, and live events do not wait for that. */
import t from 'tap'
import { demoLog } from '../../../demo/index.js'
import { feedProjection } from '../../../projections/feed/index.js'
import { readConfig } from '../../../src/compose/config.js'
import { buildInProcess } from '../../../src/compose/projector/generation-builder.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { type BuildJob, buildGeneration } from '../../../src/engine/generations/build-generation.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import { DataFolder } from '../../harness/data-folder.js'
import { eventually, type Fresh, opened } from '../../ports/subject.js'
import { liked, published, registered } from '../../spec/events.js'
import { ToldLog } from '../../spec/log.js'
import { ProjectorFixture } from '../fixture.js'
import { SqliteFolder } from '../sqlite-folder.js'
import { STORES } from '../stores.js'

const told = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
const projection = withDeadLetters(feedProjection)
const rebuild = { kind: 'rebuild' as const, maxRate: null }

for (const subject of STORES) {
  t.test(`${subject.name}: live events are projected while an aborted rebuild is still stopping`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    let finish = () => {}
    let isDoomed = false
    let wasTold = false
    await fixture.lead(feedProjection, {
      buildGeneration: (_job, signal) =>
        new Promise((resolve) => {
          finish = resolve
          signal.addEventListener('abort', () => {
            wasTold = isDoomed
            // A leader that has lost its lease on a busy machine waits for its work, and starts again.
            if (!isDoomed) resolve()
          })
        }),
    })
    const request = await fixture.place(rebuild)
    await fixture.reached(request, ({ generation }) => generation !== null)
    isDoomed = true
    const abort = await fixture.place({ kind: 'abort' })
    await eventually(async () => wasTold)
    await fixture.tell(liked('c1', 'bob'))
    await fixture.tell(liked('c2', 'bob'))
    t.match(await fixture.requests.find(abort.id), { state: 'open' })
    t.strictSame(await fixture.states(), ['g1 live', 'g2 loading'], 'nothing is taken away under its hands')
    finish()
    t.match(await fixture.settled(abort), { state: 'done', outcome: 'aborted rebuild' })
    t.match(await fixture.settled(request), { state: 'failed', outcome: 'aborted' })
    t.strictSame(await fixture.states(), ['g1 live'])
  })
}

t.test('it can be stopped between two indexes', async (t) => {
  const { store } = await opened<DocumentStore, Fresh<DocumentStore>>(t, new SqliteFolder())
  const generation = await store.createGeneration(feedProjection.name, feedProjection.version, projection.collections)
  const job: BuildJob = { projection: feedProjection.name, generation, epoch: 1, maxRate: null, replaces: null }
  const stop = new AbortController()
  let steps = 0
  // A message from another process comes with a turn, too.
  const withLongLease = async (step: () => Promise<void>) => {
    steps += 1
    setImmediate(() => stop.abort())
    await step()
  }
  await buildGeneration({ projection, store, log: new ToldLog(...told), withLongLease }, job, stop.signal, () => {})
  t.equal(steps, 1)
})

t.test('a process that is stopped while it builds indexes leaves nothing locked', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(demoLog({ creators: 50, creations: 500, seed: 6, webUrl: 'http://localhost:3001' }))
  const generation = await folder.documents.createGeneration(feedProjection.name, feedProjection.version, projection.collections)
  const job: BuildJob = { projection: feedProjection.name, generation, epoch: 1, maxRate: null, replaces: null }
  const stop = new AbortController()
  const phases = new Set<string>()
  const beside = buildInProcess(readConfig({ DATA_DIR: folder.path }))
  await beside(job, stop.signal, ({ phase }) => {
    phases.add(phase)
    if (phase === 'indexing') stop.abort()
  })
  t.ok(phases.has('indexing'))
  phases.clear()
  await beside(job, new AbortController().signal, ({ phase }) => phases.add(phase))
  t.ok(phases.has('catching up'), 'the next builder can continue')
})
