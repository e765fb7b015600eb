import type { Test } from 'tap'
import { type AcquiredLease, heldLeases, type Lease, type ProjectionHealth } from '../../../src/ports/coordination.js'
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
    t.strictSame(await heldLeases(store), [])
    const mine = await held(store.acquireLease(PROJECTION, 'ann', LONG))
    const theirs = await held(other.acquireLease('museum', 'bob', LONG))
    const short = await held(other.acquireLease('zoo', 'bob', SHORT))
    t.strictSame(
      (await heldLeases(store)).filter(({ projection }) => projection !== short.projection),
      [mine, theirs].sort((a, b) => (a.projection < b.projection ? -1 : 1)),
    )
    await store.releaseLease(mine)
    await eventually(async () => (await heldLeases(other)).length === 1)
    t.strictSame(await heldLeases(other), [theirs], 'neither the released nor the expired one')
  })

  await t.test('a lease that is not renewed expires, and its holder has lost it', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const first = await held(store.acquireLease(PROJECTION, 'ann', SHORT))
    const second = await held(eventually(() => other.acquireLease(PROJECTION, 'bob', LONG)))
    t.ok(second.epoch > first.epoch)
    t.equal(await store.renewLease(first, LONG), false)
    await store.releaseLease(first)
    t.equal(await store.acquireLease(PROJECTION, 'ann', LONG), null, 'releasing what is lost frees nothing')
    t.equal(await other.renewLease(second, LONG), true)
  })

  await t.test('one that has expired goes on while nobody has taken it, a released one does not', async (t) => {
    const { store } = await opened(t, subject)
    const lease = await held(store.acquireLease(PROJECTION, 'ann', SHORT))
    await eventually(async () => (await heldLeases(store)).length === 0)
    t.equal(await store.renewLease(lease, LONG), true)
    t.strictSame(await heldLeases(store), [lease])
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

  await t.test('what a leader says of its health is kept, also after it has left, and the next one is told', async (t) => {
    const { store, another } = await opened(t, subject)
    const other = await another()
    const now = Date.now()
    const health: ProjectionHealth = {
      ...{ state: 'retrying', reason: 'refused', lastError: 'no room', since: now - 5000, failures: 3 },
      ...{ progressAt: now - 1000, logReadAt: now - 2000, fanOut: { position: 7, done: 1, total: 2 } },
      slowFold: { position: 6, ms: 80, at: now - 3000 },
    }
    const near = (actual: number | undefined, expected: number) => t.ok(Math.abs((actual ?? 0) - expected) < 1000, `${actual} ${expected}`)
    const lead = async () => (await other.leads()).find(({ projection }) => projection === PROJECTION)
    const first = await store.acquireLease(PROJECTION, 'ann', LONG)
    if (first === null) return t.fail('it is free')
    t.equal(first.health, null)
    t.match(await lead(), { holder: 'ann', health: null }, 'unknown')
    t.ok(await store.renewLease(first, LONG, health))
    t.ok(await store.renewLease(first, LONG), 'a renewal without one leaves it')
    const said = await lead()
    t.match(said?.health, {
      state: 'retrying',
      reason: 'refused',
      lastError: 'no room',
      failures: 3,
      fanOut: { position: 7, done: 1, total: 2 },
    })
    near(said?.health?.since, now - 5000)
    near(said?.health?.progressAt, now - 1000)
    near(said?.until, now + LONG)
    await store.releaseLease(first, { ...health, state: 'stopped' })
    const left = await lead()
    t.equal(left?.health?.state, 'stopped')
    near(left?.until, Date.now())
    const second = await other.acquireLease(PROJECTION, 'bob', LONG)
    t.equal(second?.health?.state, 'stopped', 'the next leader is told')
    t.equal((await lead())?.health, null, 'and has said nothing yet')
    t.notOk(await store.renewLease(first, LONG, health), 'one that has lost it says nothing any more')
    t.equal((await lead())?.health, null)
    if (second !== null) await other.releaseLease(second)
    const third = await store.acquireLease(PROJECTION, 'ann', LONG, { ...health, state: 'retrying' })
    t.match(await lead(), { epoch: third?.epoch, health: { state: 'retrying' } }, 'said with the lease')
    t.match(await other.acquireLease('another', 'bob', LONG, health), { epoch: 1 })
    t.match(
      (await other.leads()).find(({ projection }) => projection === 'another'),
      { health: { state: health.state } },
      'also the first',
    )
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

async function held(attempt: Promise<AcquiredLease | null>): Promise<Lease> {
  const lease = await attempt
  if (lease === null) throw new Error('another holder has the lease')
  const { projection, holder, epoch } = lease
  return { projection, holder, epoch }
}
