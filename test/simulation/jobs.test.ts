/** Simulated ask jobs: workers killed, frozen and with wrong clocks, calls that fail before or after taking effect. */
import t from 'tap'
import { thorough } from '../support/tier.js'
import { simulatedJobs } from './processes.js'

const SEEDS = thorough ? [2, 3, 4] : [1]
const STEPS = 20_000

for (const seed of SEEDS) {
  t.test(`seed ${seed}: every question ends exactly once`, async (t) => {
    const { steps, checks, accepted, faults } = await simulatedJobs(seed, STEPS)
    t.ok(steps >= STEPS && checks > 0)
    t.ok(accepted > STEPS / 500, `${accepted} questions were accepted`)
    t.ok((faults.killed ?? 0) > 0 && (faults['appending to a stream fails after'] ?? 0) > 0, JSON.stringify(faults))
  })
}

t.test('a seed gives the same run each time', async (t) => {
  const [first, again, other] = await Promise.all([simulatedJobs(5, 3000), simulatedJobs(5, 3000), simulatedJobs(6, 3000)])
  t.strictSame(again, first)
  t.not(other.fingerprint, first.fingerprint)
})
