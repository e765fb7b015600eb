import t from 'tap'
import { items } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { KeptDocuments } from '../../src/operations/cache/kept-documents.js'
import { ModelVersions, versionOf } from '../../src/operations/cache/model-versions.js'
import { aroundReads } from '../../src/ports/around-reads.js'
import type { ModelView, Snapshot } from '../../src/ports/document-store.js'
import { started } from '../spec/cached.js'
import { liked, removed } from '../spec/events.js'
import { openedStore } from '../spec/opened-store.js'
import { READ_MODELS } from '../support/built-in-models.js'

async function feed(...[t]: Parameters<typeof openedStore>) {
  const { store, tell } = await started(t, { store: await openedStore(t) })
  const versions = new ModelVersions(store, READ_MODELS)
  t.teardown(() => versions.close())
  const kept = new KeptDocuments(versions, READ_MODELS)
  const refresh = () => {
    versions.expire()
    return versions.refresh()
  }
  const page = async (snapshot: Snapshot, read: (ids: readonly string[]) => void = () => {}) => {
    const view = snapshot.model('feed')
    const reads = kept.over({ ...view, ...counting(view, read) }, versionOf('feed', view))
    return (await reads.range(items, { index: 'liked', equals: [EVERYTHING], limit: 10 })).map((doc) => [
      doc._id,
      'likes' in doc && doc.likes,
    ])
  }
  return { store, tell, kept, refresh, page }
}

const counting = (view: ModelView, read: (ids: readonly string[]) => void) =>
  aroundReads(view, ({ method, ids = [] }, run) => {
    if (method === 'get') read(ids)
    return run()
  })

t.test('only documents that have changed are read again', async (t) => {
  const { store, tell, refresh, page } = await feed(t)
  await refresh()
  const asked: (readonly string[])[] = []
  const read = async () => {
    const snapshot = await store.snapshot(['feed'])
    const found = await page(snapshot, (ids) => asked.push(ids))
    snapshot.release()
    return found
  }
  await read()
  await read()
  await tell(liked('c1', 'bob'))
  await refresh()
  t.strictSame(await read(), [
    ['c1', 1],
    ['c2', 0],
  ])
  t.strictSame(asked, [['c2', 'c1'], ['c1']])
})

t.test('who reads an older moment gets nothing newer, and leaves nothing older', async (t) => {
  const { store, tell, refresh, page } = await feed(t)
  await refresh()
  const before = await store.snapshot(['feed'])
  await tell(liked('c1', 'bob'))
  await refresh()
  const after = await store.snapshot(['feed'])
  t.strictSame((await page(after))[0], ['c1', 1])
  t.same(new Map((await page(before)) as [string, number][]).get('c1'), 0)
  t.strictSame((await page(after))[0], ['c1', 1])
  before.release()
  after.release()
})

t.test('what a removal changed leaves the memory', async (t) => {
  const { store, tell, kept, refresh, page } = await feed(t)
  await refresh()
  const before = await store.snapshot(['feed'])
  await page(before)
  before.release()
  const { bytes } = kept
  await tell(removed('c1'))
  await refresh()
  await kept.dropChanged()
  t.ok(kept.bytes > 0 && kept.bytes < bytes, `${kept.bytes} of ${bytes} bytes`)
})

t.test('custom models are read as they are', async (t) => {
  const { store, refresh } = await feed(t)
  await refresh()
  const snapshot = await store.snapshot(['feed'])
  const view = snapshot.model('feed')
  const none = new KeptDocuments(new ModelVersions(store, READ_MODELS), [])
  t.equal(none.over(view, versionOf('feed', view)), view)
  snapshot.release()
})
