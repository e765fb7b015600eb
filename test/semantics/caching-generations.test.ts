/** Answers that were cached from one generation while another one, which stands lower in its log, is served. */
import t from 'tap'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { STORES } from '../engine/stores.js'
import { eventually, opened } from '../ports/subject.js'
import { liveModels, Reading } from '../spec/cached.js'
import { erased, liked, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { memoryStore } from '../support/memory-store.js'

const SHOWN = [
  registered('ann', { displayName: 'Ann Erasable' }),
  published('c1', { by: 'ann' }),
  ...['a', 'b', 'c'].map((by) => liked('c1', by)),
]
/** Another log in which she is gone, at a lower position. */
const ERASED = [registered('ann'), erased('ann')]

for (const subject of STORES)
  await t.test(`semantics 20, on ${subject.name}: another generation may stand lower`, async (t) => {
    const { store } = await opened(t, subject)
    const former = await liveModels(t, store)
    await former.deliver(new Script().write(...SHOWN))
    const reading = new Reading(t, store)
    reading.versions.onRemoval(() => void reading.answers.dropVoid())
    t.match((await reading.read(getCommunityFeed)).text, /Ann Erasable/)
    await reading.read(getCreatorProfile, { handle: 'ann' })
    const other = await liveModels(t, store)
    await other.deliver(new Script().write(...ERASED))
    await eventually(async () => reading.answers.stats.answers === 0)
    t.notMatch((await reading.read(getCommunityFeed)).text, /Ann Erasable/)
    await t.rejects(reading.read(getCreatorProfile, { handle: 'ann' }), /No creator has this handle/)
  })

await t.test('semantics 20: a store that was emptied counts its generations anew', async (t) => {
  const former = memoryStore()
  await (await liveModels(t, former)).deliver(new Script().write(...SHOWN))
  const [{ createdAt = 0 } = {}] = await former.generations('shares')
  await eventually(async () => Date.now() > createdAt)
  const anew = memoryStore()
  await (await liveModels(t, anew)).deliver(new Script().write(...ERASED))
  let current: DocumentStore = former
  const store = new Proxy(former, {
    get: (_, name) => (name in current ? (...args: unknown[]) => Reflect.get(current, name).apply(current, args) : undefined),
  })
  const reading = new Reading(t, store)
  t.match((await reading.read(getCommunityFeed)).text, /Ann Erasable/)
  current = anew
  reading.versions.expire()
  t.notMatch((await reading.read(getCommunityFeed)).text, /Ann Erasable/)
})
