import t from 'tap'
import { demandLeadership } from '../../../src/engine/leader/leadership.js'
import { MemoryDocumentStore } from '../../support/memory-store.js'

t.test('a lease is not kept when the request for it cannot be withdrawn', async (t) => {
  const stopping = new AbortController()
  t.teardown(() => stopping.abort())
  class FailingStore extends MemoryDocumentStore {
    override async deleteControlRecord(): Promise<never> {
      throw new Error('the connection was lost')
    }
  }
  const store = new FailingStore()
  const candidate = { store, projection: 'feed', holder: 'one', signal: stopping.signal }
  await t.rejects(demandLeadership(candidate), { message: 'the connection was lost' })
  t.ok(await store.acquireLease('feed', 'another', 1000), 'another process can lead at once')
})
