import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { items } from '../../readmodels/feed/documents.js'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import { GenerationWriter } from '../../src/engine/fold/generation-writer.js'
import { Projector } from '../../src/engine/leader/projector.js'
import { FencedError, type GenerationStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { eventually } from '../ports/subject.js'
import { but, liked, played, published, registered } from '../spec/events.js'
import { ToldLog } from '../spec/log.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'
import { decode } from '../support/decode.js'
import { replacing } from '../support/replacing.js'

const projection = withDeadLetters(feedProjection)
const shown = [registered('ann'), published('c1', { by: 'ann' })]
const silent = { info() {}, warn() {}, error() {} }

/** Two processes that both hold the feed's generation open. */
async function twoStores(t: Test): Promise<{ first: GenerationStore; second: GenerationStore }> {
  const folder = await temporaryFolder()
  const stores = [await openSqliteStore(folder), await openSqliteStore(folder)] as const
  const generation = await stores[0].createGeneration('feed', 1, projection.collections)
  const [first, second] = [
    await stores[0].openGeneration(generation, projection.collections),
    await stores[1].openGeneration(generation, projection.collections),
  ]
  t.teardown(async () => {
    await first.close()
    await second.close()
    for (const store of stores) await store.close()
    await removeFolder(folder)
  })
  return { first, second }
}

const events = (records: readonly LogRecord[]) => records.map((record) => ({ record, decoded: decode(record) }))

const likesOf = async (store: GenerationStore) => {
  const [item] = await store.get(items, ['c1'])
  return item?.removed === false ? item.likes : undefined
}

t.test('semantics 16: an old leader is fenced, and writes nothing', async (t) => {
  const { first, second } = await twoStores(t)
  const script = new Script()
  const old = await GenerationWriter.open(projection, first, 1, true)
  await old.advance(events(script.write(...shown)))
  const young = await GenerationWriter.open(projection, second, 2, true)
  const batch = events(script.write(liked('c1', 'bob')))
  await t.rejects(old.advance(batch), FencedError)
  t.equal(await likesOf(second), 0)
  await young.advance(batch)
  t.equal(await likesOf(second), 1)
  await t.rejects(old.advance(batch), FencedError)
  await t.rejects(GenerationWriter.open(projection, first, 1, true), FencedError, 'its epoch is over')
  t.equal(await likesOf(first), 1)
})

t.test('semantics 16: two leaders of one epoch cannot both move the checkpoint', async (t) => {
  const { first, second } = await twoStores(t)
  const [one, other] = [await GenerationWriter.open(projection, first, 1, true), await GenerationWriter.open(projection, second, 1, true)]
  const batch = events(new Script().write(...shown, liked('c1', 'bob')))
  await one.advance(batch)
  await t.rejects(other.advance(batch), FencedError)
  t.equal(await likesOf(second), 1)
})

t.test('semantics 16: a commit whose outcome is unknown is safe to repeat', async (t) => {
  let lost = true
  const world = await World.open(t, feedProjection, {
    between: (store) =>
      replacing(store, {
        async commit(commit) {
          await store.commit(commit)
          if (lost && commit.to.position === 4) throw new Error('the connection broke before the answer came')
        },
      }),
  })
  await world.tell(...shown)
  const records = world.script.write(liked('c1', 'bob'), played('c1'))
  await t.rejects(world.deliver(records), /connection broke/)
  lost = false
  await t.rejects(world.deliver(records), FencedError, 'the session that does not know is not believed')
  await world.restart()
  await world.deliver(records)
  t.match(await world.doc(items, 'c1'), { likes: 1, plays: 1 })
  t.match(await world.tallies(), { applied: 4 })
})

t.test('semantics 16: another log under the same name is noticed', async (t) => {
  const folder = await temporaryFolder()
  const store = await openSqliteStore(folder)
  const alive = setInterval(() => {}, 60_000)
  t.teardown(async () => {
    clearInterval(alive)
    await store.close()
    await removeFolder(folder)
  })
  const first = new Projector([feedProjection], new ToldLog(...shown), store, silent)
  first.start()
  await eventually(async () => first.runners[0]?.health.state === 'live')
  await first.stop()
  const foreign = {
    'another event at the position': new ToldLog(registered('bob'), but(published('c9', { by: 'bob' }), { id: 'other' })),
    'a log that ends before it': new ToldLog(registered('ann')),
  }
  for (const [name, log] of Object.entries(foreign))
    await t.test(name, async (t) => {
      const second = new Projector([feedProjection], log, store, silent)
      second.start()
      const [runner] = second.runners
      await eventually(async () => runner?.health.lastError)
      t.match(runner?.health, {
        state: 'stopped',
        reason: 'foreign',
        lastError: /^The log has (no|another) event at position 2, where feed left off/,
      })
      await second.stop()
      const snapshot = await store.snapshot(['feed'])
      t.equal(snapshot.model('feed').checkpoint.position, 2, 'readers keep what they have')
      snapshot.release()
    })
  await t.test('the same log, grown', async () => {
    const third = new Projector([feedProjection], new ToldLog(...shown, liked('c1', 'bob')), store, silent)
    third.start()
    await eventually(async () => {
      const snapshot = await store.snapshot(['feed'])
      const { position } = snapshot.model('feed').checkpoint
      snapshot.release()
      return position === 3
    })
    await eventually(async () => third.runners[0]?.health.lastError === null)
    await third.stop()
  })
})

t.test('semantics 17: on SQLite each projection generation has its own file', async (t) => {
  const folder = await temporaryFolder()
  const store = await openSqliteStore(folder)
  t.teardown(() => store.close())
  const files = async () => (await readdir(folder)).filter((file) => /^(feed|tags).*\.db$/.test(file)).sort()
  const live = await store.createGeneration('feed', 1, projection.collections)
  const loading = await store.createGeneration('feed', 1, projection.collections)
  await store.createGeneration('tags', 1, tagsProjection.collections)
  t.strictSame(await files(), ['feed_v1_g1.db', 'feed_v1_g2.db', 'tags_v1_g1.db'])
  await store.promote(live)

  const [one, two] = [await store.openGeneration(live, projection.collections), await store.openGeneration(loading, projection.collections)]
  const rebuilding = openDatabase(join(folder, 'feed_v1_g2.db'))
  rebuilding.exec('BEGIN IMMEDIATE')
  await (await GenerationWriter.open(projection, one, 1, true)).advance(events(new Script().write(...shown)))
  rebuilding.close()
  t.equal((await one.checkpoint()).position, 2, 'a rebuild never blocks live commits')
  await one.close()
  await two.close()
  await store.dropGeneration(loading)
  t.strictSame(await files(), ['feed_v1_g1.db', 'tags_v1_g1.db'], 'dropping a generation deletes its file')
  t.notOk(
    (await readdir(folder)).some((file) => file.startsWith('feed_v1_g2')),
    join(folder, 'feed_v1_g2.db-wal'),
  )
})
