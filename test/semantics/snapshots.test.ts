import t from 'tap'
import { z } from 'zod'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { creators, items } from '../../readmodels/feed/documents.js'
import { tags } from '../../readmodels/tags/documents.js'
import { ServiceError } from '../../src/contract/errors.js'
import { operation } from '../../src/contract/operation.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import type { Position } from '../../src/events/index.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import { liked, published, registered } from '../spec/events.js'
import { openedStore } from '../spec/opened-store.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'

t.test('semantics 18: a reader resolves generation, position and rows in one snapshot', async (t) => {
  const store = await openedStore(t)
  const script = new Script()
  const first = await World.open(t, feedProjection, { documents: store })
  await first.promote()
  await first.deliver(script.write(registered('ann'), published('c1', { by: 'ann' })))

  const snapshot = await store.snapshot(['feed'])
  const model = snapshot.model('feed')
  await first.deliver(script.write(liked('c1', 'bob')))
  const rebuilt = await World.open(t, feedProjection, { documents: store })
  await rebuilt.deliver([...script.records, ...script.write(liked('c1', 'cyd'))])
  await rebuilt.promote()

  t.equal(model.checkpoint.position, 2)
  t.equal(model.generation.number, 1)
  t.match(await model.get(items, ['c1']), [{ likes: 0 }], 'rows of the same moment')
  t.match(await model.get(creators, ['ann']), [{ likes: 0 }])
  snapshot.release()

  const next = await store.snapshot(['feed'])
  t.equal(next.model('feed').checkpoint.position, 4)
  t.equal(next.model('feed').generation.number, 2)
  t.match(await next.model('feed').get(items, ['c1']), [{ likes: 2 }])
  next.release()
})

/** An operation over two models that tells what it saw. */
const glance = operation({
  name: 'glance',
  operationId: 'glance',
  path: '/glance',
  tag: 'community',
  summary: 'Glance',
  description: 'What two models hold.',
  input: z.object({}),
  output: z.object({ items: z.number(), tags: z.number() }),
  models: ['feed', 'tags'],
  example: { input: {}, output: { items: 0, tags: 0 } },
  run: async ({ model }) => ({
    items: await model('feed').count(items, { index: '_id', equals: [] }),
    tags: await model('tags').count(tags, { index: '_id', equals: [] }),
  }),
})

t.test('semantics 18: the position of an answer is the lowest among the models read', async (t) => {
  const store = await openedStore(t)
  const [one, other] = [
    await World.open(t, feedProjection, { documents: store }),
    await World.open(t, tagsProjection, { documents: store }),
  ]
  await one.promote()
  await other.promote()
  const script = new Script()
  const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'))
  const records = script.write(registered('ann'), published('c1', { by: 'ann', tags: ['x'] }))
  await one.deliver(records)
  t.match(await operations.execute(glance, {}), { position: 0, data: { items: 1, tags: 0 } })
  await other.deliver(records.slice(0, 1))
  t.match(await operations.execute(glance, {}), { position: 1 })
  await other.deliver([...records, ...script.write(liked('c1', 'bob'))])
  t.match(await operations.execute(glance, {}), { position: 2, data: { items: 1, tags: 1 } }, 'now the feed lags')
})

t.test('semantics 18: a wait for a position ends when the models reach it, or as a 504', async (t) => {
  const store = await openedStore(t)
  const [one, other] = [
    await World.open(t, feedProjection, { documents: store }),
    await World.open(t, tagsProjection, { documents: store }),
  ]
  await one.promote()
  await other.promote()
  const records = new Script().write(registered('ann'), published('c1', { by: 'ann', tags: ['x'] }))
  await one.deliver(records)

  const impatient = new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 0 })
  const late = await impatient.execute(glance, {}, { wait: { position: 2 as Position } }).catch((error: unknown) => error)
  t.ok(late instanceof ServiceError && late.status === 504, 'one model alone is not enough')

  const patient = new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 60_000 })
  const waiting = patient.execute(glance, {}, { wait: { position: 2 as Position } })
  await other.deliver(records)
  t.match(await waiting, { position: 2, data: { items: 1, tags: 1 } })
})
