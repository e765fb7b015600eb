/** The simulated engine: a virtual clock, a seeded scheduler, and faults in every call that can fail. */
import t from 'tap'
import { thorough } from '../support/tier.js'
import { simulated } from './processes.js'

/** Always the same, so that a failure comes from the change under test; `npm run chaos -- --simulate --seeds 100` tries others. */
const SEEDS = thorough ? [3, 5, 12, 472_727_384, 667_809_564] : [217_573_518]
const STEPS = thorough ? 100_000 : 30_000

for (const seed of SEEDS) {
  t.test(`seed ${seed}: nothing is lost, counted twice, shown too early or left over`, async (t) => {
    const { steps, checks, faults, events } = await simulated(seed, STEPS)
    t.ok(steps >= STEPS && checks > 0)
    t.ok(events > STEPS / 200, `${events} events were published`)
    t.ok(Object.values(faults).reduce((sum, count) => sum + count, 0) > STEPS / 1000, `${JSON.stringify(faults)}`)
  })
}

t.test('a seed gives the same run each time', async (t) => {
  const [first, again, other] = await Promise.all([simulated(1, 5000), simulated(1, 5000), simulated(2, 5000)])
  t.strictSame(again, first)
  t.not(other.fingerprint, first.fingerprint)
})
