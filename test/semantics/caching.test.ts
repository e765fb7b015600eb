import t from 'tap'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../readmodels/landing/public-reads.js'
import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import type { Operation } from '../../src/contract/operation.js'
import type { Position } from '../../src/events/index.js'
import { STORES } from '../engine/stores.js'
import { eventually, opened } from '../ports/subject.js'
import { Reading, started } from '../spec/cached.js'
import { erased, liked, played, published, registered, removed } from '../spec/events.js'
import { gate } from '../support/gate.js'

const READS: readonly (readonly [Operation, Record<string, unknown>])[] = [
  [getCommunityFeed, {}],
  [getCommunityFeed, { sort: 'recent', locale: 'de' }],
  [getCommunityFeed, { q: 'clock' }],
  [getPopularTags, {}],
  [getCommunityLanding, {}],
  [getCreatorProfile, { handle: 'ann' }],
  [getAppShare, { handle: 'ann', slug: 'clock' }],
]

for (const subject of STORES) {
  await t.test(`semantics 20, on ${subject.name}`, async (t) => {
    await t.test('an answer is computed once as long as its models do not change', async (t) => {
      const { store } = await started(t, await opened(t, subject))
      const reading = new Reading(t, store)
      for (const [operation, input] of READS) {
        const first = await reading.read(operation, input)
        const made = reading.made
        const again = await Promise.all([1, 2, 3].map(() => reading.read(operation, input)))
        t.ok(
          again.every(({ body }) => body === first.body),
          `${operation.name}: the same bytes`,
        )
        t.equal(reading.made, made, `${operation.name}: made once`)
        const { data } = await reading.operations.execute(operation, input)
        t.equal(first.text, JSON.stringify({ code: 0, data }), `${operation.name}: what it would say without a cache`)
      }
      const same = await reading.read(getCommunityFeed, { limit: 24, locale: 'en', featuredOnly: false, prefix: false })
      t.equal(same.body, (await reading.read(getCommunityFeed)).body, 'defaults said or left out are the same request')
      t.match(reading.answers.stats, { answers: READS.length, misses: READS.length })
    })

    await t.test('concurrent requests for the same wait for one read', async (t) => {
      const { store } = await started(t, await opened(t, subject))
      const reading = new Reading(t, store)
      const all = await Promise.all(Array.from({ length: 50 }, () => reading.read(getCommunityLanding)))
      t.equal(reading.made, 1)
      t.equal(new Set(all.map(({ body }) => body)).size, 1)
    })

    await t.test('a change is shown as soon as the store has told of it, at first', async (t) => {
      const { store, tell } = await started(t, await opened(t, subject))
      const reading = new Reading(t, store)
      const before = await reading.read(getCommunityFeed)
      await tell(liked('c1', 'bob'))
      await eventually(async () => (await reading.read(getCommunityFeed)).position === 6)
      const after = await reading.read(getCommunityFeed)
      t.match(after.text, /"likes":1/)
      t.not(after.etag, before.etag, 'with another tag')
    })

    await t.test('an answer that a commit did not touch stays valid, and gets the new position', async (t) => {
      const { store, another, script, tell } = await started(t, await opened(t, subject))
      for (const reading of [new Reading(t, store), new Reading(t, await another())]) {
        const reads = [
          [getAppShare, { handle: 'bob', slug: 'clock' }],
          [getCreatorProfile, { handle: 'bob' }],
          [getPopularTags, {}],
          [getCommunityFeed, { sort: 'recent', featuredOnly: true, limit: 1 }],
        ] as const
        const before = await Promise.all(reads.map(([operation, input]) => reading.read(operation, input)))
        const made = reading.made
        for (let i = 0; i < 3; i++) {
          await tell(registered(`new-${script.records.length}`))
          await eventually(async () => {
            await reading.versions.refresh()
            return ['feed', 'tags', 'profiles', 'shares'].every((model) => reading.versions.of(model)?.position === script.records.length)
          })
          const now = await Promise.all(reads.map(([operation, input]) => reading.read(operation, input)))
          t.ok(
            now.every(({ body }, at) => body === before[at]?.body),
            'the same bytes',
          )
          t.ok(
            now.every(({ position }) => position === script.records.length),
            'of the latest position',
          )
        }
        t.equal(reading.made, made, 'without being computed again')
        await tell(played('c2'))
        await eventually(async () => (await reading.read(getAppShare, { handle: 'bob', slug: 'clock' })).position === script.records.length)
        t.equal(reading.made, made + 1, 'and what was touched is')
      }
    })

    await t.test('nor does a removal of something else invalidate it, nor a while without requests', async (t) => {
      const { store, script, tell } = await started(t, await opened(t, subject))
      await tell(registered('cid'), published('c3', { by: 'cid', tags: ['space'] }))
      const reading = new Reading(t, store)
      const share = () => reading.read(getAppShare, { handle: 'bob', slug: 'clock' })
      const { body } = await share()
      const made = reading.made
      const news = [removed('c3'), ...Array.from({ length: 60 }, (_, i) => registered(`guest-${i}`)), erased('cid')]
      for (const event of news) {
        await tell(event)
        // The process learns of it even without a request.
        await eventually(async () => ['feed', 'shares'].every((model) => reading.versions.of(model)?.position === script.records.length))
      }
      t.equal((await share()).body, body)
      t.equal(reading.made, made, 'without being computed again')
    })

    await t.test('what changes all the time is at most one second behind', async (t) => {
      const { store, script, tell } = await started(t, await opened(t, subject))
      let now = 1_000_000
      const reading = new Reading(t, store, { now: () => now })
      const next = async () => {
        await tell(played('c1'))
        const told = script.records.length
        // Until the notice is here, seen from another read.
        await eventually(async () => {
          await reading.versions.refresh()
          return reading.versions.of('feed')?.position === told
        })
        return told - (await reading.read(getCommunityFeed)).position
      }
      const lags: number[] = []
      for (let i = 0; i < 15; i++) lags.push(await next())
      t.equal(lags[0], 0)
      t.ok(Number(lags.at(-1)) > 0, 'after a while an older answer does')
      const made = reading.made
      now += 999
      await next()
      t.equal(reading.made, made, 'and none is made')
      now += 1
      t.equal(await next(), 0, 'until a second is over')
      t.equal(reading.made, made + 1)
      t.ok(reading.answers.stats.stale > 0)
    })

    await t.test('never older than a removal, however much else has changed', async (t) => {
      const { store, tell } = await started(t, await opened(t, subject))
      // The clock stands still, so nothing is computed again because of its age.
      const reading = new Reading(t, store, { now: () => 0 })
      for (let i = 0; i < 15; i++) {
        await tell(played('c1'))
        for (const [operation, input] of READS) await reading.read(operation, input)
      }
      await tell(erased('ann'), played('c2'), played('c2'))
      // Seen in one answer that never comes from the cache …
      await eventually(async () => !JSON.stringify((await reading.operations.execute(getCommunityFeed, {})).data).includes('Erasable'))
      // … it is gone from all of them, at once.
      for (const [operation, input] of READS) {
        const text = await reading.read(operation, input).then(
          (answer) => answer.text,
          (error) => String(error),
        )
        t.notMatch(text, /Erasable/, `${operation.name} ${JSON.stringify(input)}`)
      }
    })

    await t.test('nor does one that was being computed during a removal', async (t) => {
      const { store, script, tell } = await started(t, await opened(t, subject))
      const reading = new Reading(t, store)
      const [held, arrived] = gate()
      const [released, release] = gate()
      let slow = true
      const lingering = {
        ...getCommunityFeed,
        run: async (...args: Parameters<typeof getCommunityFeed.run>) => {
          const data = await getCommunityFeed.run(...args)
          if (slow) {
            slow = false
            arrived()
            await released
          }
          return data
        },
      }
      const asked = reading.read(lingering)
      await held
      await tell(removed('c1'))
      await eventually(async () => {
        await reading.versions.refresh()
        return reading.versions.of('feed')?.invalidBefore === script.records.length
      })
      release()
      t.notMatch((await asked).text, /Erasable/)
    })

    await t.test('a 404 is an answer, too', async (t) => {
      const { store, tell } = await started(t, await opened(t, subject))
      const told: string[] = []
      const reading = new Reading(t, store, { announceRemoval: async () => void told.push('announced') })
      for (const [operation, input] of READS) await reading.read(operation, input)
      told.length = 0
      await tell(played('c1'))
      await reading.operations.execute(getAppShare, { handle: 'ann', slug: 'clock' })
      t.strictSame(told, [], 'an event like any other is not announced')
      await tell(erased('ann'))
      await reading.operations.execute(getAppShare, { handle: 'ann', slug: 'clock' }).catch((error) => told.push(error.error))
      // As often as a model is seen to have moved.
      t.strictSame([...new Set(told)], ['announced', 'not_found'], 'the others know of a removal before it is seen')
    })

    await t.test('while other processes are being notified, no reader sees the old answer', async (t) => {
      const { store, tell } = await started(t, await opened(t, subject))
      const [begun, telling] = gate()
      const [done, told] = gate()
      let slow = false
      const announceRemoval = async () => {
        if (!slow) return
        telling()
        await done
      }
      const reading = new Reading(t, store, { announceRemoval })
      await reading.read(getCommunityFeed)
      slow = true
      await tell(removed('c1'))
      const first = reading.operations.execute(getCommunityFeed, {})
      await begun
      const second = reading.read(getCommunityFeed)
      setImmediate(told)
      t.notMatch((await second).text, /Erasable/)
      t.notMatch(JSON.stringify((await first).data), /Erasable/)
    })

    await t.test('Service-Min-Position goes past the cache', async (t) => {
      const { store } = await started(t, await opened(t, subject))
      const reading = new Reading(t, store)
      const kept = await reading.read(getCommunityFeed)
      const own = await reading.answers.read(getCommunityFeed, {}, { wait: { position: 5 as Position } })
      t.not(own.body, kept.body)
      t.same([own.body, own.etag, own.position], [kept.body, kept.etag, kept.position])
      t.equal(reading.made, 2)
    })

    await t.test('a process that is notified of changes by others follows the same rules', async (t) => {
      const { another, tell } = await started(t, await opened(t, subject))
      const reading = new Reading(t, await another(), { now: () => 0 })
      await reading.read(getCreatorProfile, { handle: 'ann' })
      await tell(erased('ann'))
      await eventually(async () =>
        reading.read(getCreatorProfile, { handle: 'ann' }).then(
          () => false,
          () => true,
        ),
      )
      t.pass('told by the store, not asked for')
    })
  })
}
