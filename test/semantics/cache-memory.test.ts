import t from 'tap'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import { eventually } from '../ports/subject.js'
import { Reading, started } from '../spec/cached.js'
import { removed } from '../spec/events.js'
import { openedStore } from '../spec/opened-store.js'

await t.test('semantics 20: the cache is bounded, and keeps what is used', async (t) => {
  const { store } = await started(t, { store: await openedStore(t) })
  const maxBytes = 64 * 1024
  const reading = new Reading(t, store, { maxBytes })
  await reading.read(getPopularTags)
  for (let limit = 1; limit <= 48; limit++) {
    await reading.read(getCommunityFeed, { limit })
    await reading.read(getPopularTags)
    t.ok(reading.answers.stats.bytes <= maxBytes, `${reading.answers.stats.bytes} bytes`)
  }
  const { misses, evictions, answers } = reading.answers.stats
  t.ok(evictions > 0)
  t.ok(answers < 49)
  t.equal(misses, 49, 'what is asked for again and again stays')
})

await t.test('semantics 20: a small answer keeps no more memory than its own', async (t) => {
  const { store } = await started(t, { store: await openedStore(t) })
  const reading = new Reading(t, store)
  for (const input of [{ q: 'nothing' }, {}]) {
    const { body, bodies } = await reading.read(getCommunityFeed, input)
    for (const form of [body, await bodies.get('br'), await bodies.get('gzip')]) t.equal(form.buffer.byteLength, form.length)
  }
})

await t.test('semantics 20: what nobody asks for any more is dropped', async (t) => {
  const { store } = await started(t, { store: await openedStore(t) })
  let now = 0
  const reading = new Reading(t, store, { now: () => now })
  for (let limit = 1; limit <= 20; limit++) await reading.read(getCommunityFeed, { limit })
  for (let minute = 1; minute <= 6; minute++) {
    now = minute * 60_000
    await reading.read(getPopularTags)
  }
  t.equal(reading.answers.stats.answers, 21)
  await reading.read(getCommunityFeed, { limit: 21 })
  t.equal(reading.answers.stats.answers, 2, 'with the next new answer')
  t.equal(reading.answers.stats.misses, 22, 'what is asked for all the time stays')
})

await t.test('semantics 20: compressed forms count, and those of a replaced answer do not', async (t) => {
  const { store, tell } = await started(t, { store: await openedStore(t) })
  const { answers } = new Reading(t, store)
  const first = await answers.read(getCommunityFeed, {})
  const { bytes } = answers.stats
  const packed = await first.bodies.get('gzip')
  t.equal(answers.stats.bytes, bytes + packed.length)
  await tell(removed('c1'))
  await eventually(async () => (await answers.read(getCommunityFeed, {})).etag !== first.etag)
  const replaced = answers.stats.bytes
  await first.bodies.get('br')
  t.equal(answers.stats.bytes, replaced)
})
