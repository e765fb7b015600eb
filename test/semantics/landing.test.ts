import t from 'tap'
import { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import { getCategories } from '../../readmodels/landing/unlisted-reads.js'
import type { PlainRead } from '../../src/contract/operation.js'
import { STORES } from '../engine/stores.js'
import { eventually, opened } from '../ports/subject.js'
import { liveModels, Reading } from '../spec/cached.js'
import {
  but,
  defined,
  edited,
  erased,
  featured,
  followed,
  handleChanged,
  liked,
  played,
  profileChanged,
  published,
  registered,
  removed,
  republished,
  type Told,
  unfeatured,
  unliked,
  unpublished,
} from '../spec/events.js'
import { Script } from '../spec/script.js'

/** Rails full of what is liked, remixed and recent; two creations far below all of them; one that only its many old likes show. */
const FULL: Told[] = [
  registered('ann'),
  defined('games'),
  published('low', { by: 'ann', category: 'games' }),
  published('dim', { by: 'ann', category: 'games' }),
  published('fan', { by: 'ann', category: 'games' }),
  ...['u1', 'u2', 'u3'].map((user) => but(liked('fan', user), { time: 0 })),
  published('hidden', { by: 'ann', category: 'games' }),
  unpublished('hidden'),
  ...Array.from({ length: 13 }, (_, i) => published(`c${i}`, { by: 'ann', category: 'games' })),
  ...Array.from({ length: 13 }, (_, i) => published(`r${i}`, { by: 'ann', category: 'games', remixOf: `c${i}` })),
  ...Array.from({ length: 13 }, (_, i) => [liked(`c${i}`, 'u1'), liked(`c${i}`, 'u2')]).flat(),
  ...Array.from({ length: 13 }, (_, i) => featured(`c${i}`)),
]

/** What each event does to the landing and to its categories alone: kept in memory, or read again. */
const CASES: [name: string, event: Told | Told[], landing: 'kept' | 'read', categories: 'kept' | 'read'][] = [
  ['a new creator', registered('zoe'), 'kept', 'kept'],
  ['a profile without creations', profileChanged('zoe', { displayName: 'Zoe' }), 'kept', 'kept'],
  ['somebody follows', followed('zoe', 'ann'), 'kept', 'kept'],
  ['an edit far below', edited('low', { title: { en: 'New' } }), 'kept', 'kept'],
  ['a like of something hidden', liked('hidden', 'u1'), 'kept', 'kept'],
  ['an edit of something shown', edited('c12', { title: { en: 'Other' } }), 'read', 'kept'],
  ['a play of something shown', played('c11'), 'read', 'kept'],
  ['a fall out of the only rail that showed it', [unliked('fan', 'u1'), unliked('fan', 'u2')], 'read', 'kept'],
  ['a like that reaches a rail', [liked('low', 'u1'), liked('low', 'u2')], 'read', 'kept'],
  ['into the spotlight from far below', featured('dim', true), 'read', 'kept'],
  ['out of the spotlight', unfeatured('dim'), 'read', 'kept'],
  ['a new publication', published('new', { by: 'ann', category: 'games' }), 'read', 'read'],
  ['one comes back to its category', republished('hidden'), 'read', 'read'],
  ['a category relabelled', defined('games', { label: { en: 'Play' } }), 'read', 'read'],
  ['another category', defined('music'), 'read', 'read'],
  ['a new handle on everything', handleChanged('ann', 'annie'), 'read', 'kept'],
  ['something shown is removed', removed('r12'), 'read', 'read'],
  ['an erased liker', erased('u2'), 'read', 'kept'],
  ['an erased creator', erased('ann'), 'read', 'read'],
]

for (const subject of STORES)
  await t.test(
    `semantics 14, on ${subject.name}: the landing is read again when what it shows may have changed, and only then`,
    async (t) => {
      const { store } = await opened(t, subject)
      const script = new Script()
      const models = await liveModels(t, store)
      await models.deliver(script.write(...FULL))
      let now = 0
      const reading = new Reading(t, store, { now: () => now })
      const isKept = async (operation: PlainRead) => {
        const { hits } = reading.answers.stats
        const { text, position } = await reading.read(operation)
        t.equal(position, script.records.length, 'of the latest position')
        const isHit = reading.answers.stats.hits > hits
        const { data } = await reading.operations.execute(operation, {})
        t.equal(text, JSON.stringify({ code: 0, data }), 'what it says without a cache')
        return isHit ? 'kept' : 'read'
      }
      for (const operation of [getCommunityLanding, getCategories]) await reading.read(operation)
      for (const [name, event, landing, categories] of CASES) {
        await models.deliver(script.write(...[event].flat()))
        await eventually(async () => {
          await reading.versions.refresh()
          return reading.versions.of('feed')?.position === script.records.length
        })
        // What changes often is read again once a second.
        now += 1000
        t.strictSame([await isKept(getCommunityLanding), await isKept(getCategories)], [landing, categories], name)
      }
      t.notMatch((await reading.read(getCommunityLanding)).text, /ann/, 'nothing is left of an erased creator')
    },
  )

await t.test('semantics 14: what changes far below the landing leaves its bytes and their compressed forms', async (t) => {
  const [subject] = STORES
  if (subject === undefined) throw new Error('no store to try')
  const { store } = await opened(t, subject)
  const script = new Script()
  const models = await liveModels(t, store)
  await models.deliver(script.write(...FULL))
  const { answers, versions } = new Reading(t, store)
  const before = await answers.read(getCommunityLanding, {})
  const forms = await Promise.all([before.bodies.get('br'), before.bodies.get('gzip')])
  const { bytes, misses } = answers.stats
  await models.deliver(script.write(liked('low', 'u1')))
  await eventually(async () => {
    await versions.refresh()
    return versions.of('feed')?.position === script.records.length
  })
  const after = await answers.read(getCommunityLanding, {})
  t.equal(answers.stats.misses, misses + 1, 'it is read again')
  t.equal(after.position, script.records.length)
  t.strictSame([after.etag, after.bodies.getIfReady('br'), after.bodies.getIfReady('gzip')], [before.etag, ...forms])
  t.equal(after.body, before.body, 'one copy of them')
  t.equal(answers.stats.bytes, bytes, 'counted once')
})
