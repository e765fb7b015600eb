import type { Test } from 'tap'
import { PROJECTION } from '../library-model.js'
import { eventually, opened } from '../subject.js'
import type { CoordinationSubject } from './subject.js'

/** Longer than any test, and short enough to expire during one. */
const LONG = 60_000
const SHORT = 50

export async function leases(t: Test, subject: CoordinationSubject): Promise<void> {
  await t.test('one holder at a time, per projection', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const lease = await store.acquireLease(PROJECTION, 'ann', LONG)
    t.match(lease, { projection: PROJECTION, holder: 'ann' })
    t.ok((lease?.epoch ?? 0) > 0)
    t.equal(await other.acquireLease(PROJECTION, 'bob', LONG), null)
    t.equal(await store.acquireLease(PROJECTION, 'bob', LONG), null)
    t.match(await other.acquireLease('museum', 'bob', LONG), { projection: 'museum', holder: 'bob' })
  })

  await t.test('of many attempts at once, one succeeds', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const tries = Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).acquireLease(PROJECTION, `holder ${i}`, LONG))
    t.equal((await Promise.all(tries)).filter((lease) => lease !== null).length, 1)
  })

  await t.test('a released lease is free at once, with a greater epoch', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const first = await held(store.acquireLease(PROJECTION, 'ann', LONG))
    await store.releaseLease(first)
    const second = await held(other.acquireLease(PROJECTION, 'bob', LONG))
    t.ok(second.epoch > first.epoch)
    await other.releaseLease(second)
    const third = await held(store.acquireLease(PROJECTION, 'bob', LONG))
    t.ok(third.epoch > second.epoch, 'also for the same holder')
  })

  await t.test('every handle can see which are held', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    t.strictSame(await store.leases(), [])
    const mine = await held(store.acquireLease(PROJECTION, 'ann', LONG))
    const theirs = await held(other.acquireLease('museum', 'bob', LONG))
    const short = await held(other.acquireLease('zoo', 'bob', SHORT))
    t.strictSame(
      (await store.leases()).filter(({ projection }) => projection !== short.projection),
      [mine, theirs].sort((a, b) => (a.projection < b.projection ? -1 : 1)),
    )
    await store.releaseLease(mine)
    await eventually(async () => (await other.leases()).length === 1)
    t.strictSame(await other.leases(), [theirs], 'neither the released nor the expired one')
  })

  await t.test('a lease that is not renewed expires, and its holder has lost it', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const first = await held(store.acquireLease(PROJECTION, 'ann', SHORT))
    const second = await eventually(() => other.acquireLease(PROJECTION, 'bob', LONG))
    t.ok(second.epoch > first.epoch)
    t.equal(await store.renewLease(first, LONG), false)
    await store.releaseLease(first)
    t.equal(await store.acquireLease(PROJECTION, 'ann', LONG), null, 'releasing what is lost frees nothing')
    t.equal(await other.renewLease(second, LONG), true)
  })

  await t.test('one that has expired goes on while nobody has taken it, a released one does not', async (t) => {
    const { store } = await opened(t, subject)
    const lease = await held(store.acquireLease(PROJECTION, 'ann', SHORT))
    await eventually(async () => (await store.leases()).length === 0)
    t.equal(await store.renewLease(lease, LONG), true)
    t.strictSame(await store.leases(), [lease])
    await store.releaseLease(lease)
    t.equal(await store.renewLease(lease, LONG), false)
    t.ok(await store.acquireLease(PROJECTION, 'bob', LONG))
  })

  await t.test('a holder of the same name in another process is another holder', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const first = await held(store.acquireLease(PROJECTION, 'ann', SHORT))
    const second = await eventually(() => other.acquireLease(PROJECTION, 'ann', LONG))
    t.equal(await store.renewLease(first, LONG), false)
    t.equal(await other.renewLease(second, LONG), true)
  })

  await t.test('renewing keeps it beyond its first end, with the same epoch', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const lease = await held(store.acquireLease(PROJECTION, 'ann', 1000))
    // A lease taken later for the same time serves as a clock: once it has expired, the first would have, too.
    const clock = await held(store.acquireLease('clock', 'ann', 1000))
    t.equal(await store.renewLease(lease, LONG), true)
    await eventually(() => other.acquireLease(clock.projection, 'bob', LONG))
    t.equal(await other.acquireLease(PROJECTION, 'bob', LONG), null)
    t.equal(await store.renewLease(lease, LONG), true)
  })

  await t.test('epochs go on growing after a restart', async (t) => {
    const { store, reopen } = await opened(t, subject)
    const first = await held(store.acquireLease(PROJECTION, 'ann', LONG))
    const again = await reopen()
    t.equal(await again.acquireLease(PROJECTION, 'bob', LONG), null, 'closing does not release')
    await again.releaseLease(first)
    t.ok((await held(again.acquireLease(PROJECTION, 'bob', LONG))).epoch > first.epoch)
  })
}

async function held<T>(attempt: Promise<T | null>): Promise<T> {
  const lease = await attempt
  if (lease === null) throw new Error('another holder has the lease')
  return lease
}
