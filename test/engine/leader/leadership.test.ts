import t from 'tap'
import { demandLeadership } from '../../../src/engine/leader/leadership.js'
import { memoryStore } from '../../support/memory-store.js'
import { replacing } from '../../support/replacing.js'

t.test('a lease is not kept when the request for it cannot be withdrawn', async (t) => {
  const stopping = new AbortController()
  t.teardown(() => stopping.abort())
  const store = replacing(memoryStore(), { deleteControlRecord: () => Promise.reject(new Error('the connection was lost')) })
  const candidate = { store, projection: 'feed', holder: 'one', signal: stopping.signal }
  await t.rejects(demandLeadership(candidate), { message: 'the connection was lost' })
  t.ok(await store.acquireLease('feed', 'another', 1000), 'another process can lead at once')
})
