/** The engine in a made-up world: a virtual clock, a seeded scheduler, and faults wherever a call can go wrong. */
import t from 'tap'
import { anySeed, simulated } from './processes.js'

/** More of them for a night: `SIMULATION_SEEDS=100 SIMULATION_STEPS=100000`. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 3)
const STEPS = Number(process.env.SIMULATION_STEPS ?? 20_000)

t.setTimeout(0)

for (const seed of Array.from({ length: SEEDS }, anySeed)) {
  t.test(`seed ${seed}: nothing is lost, doubled, shown too early or left lying about`, { timeout: 0 }, async (t) => {
    const { steps, checks, faults, events } = await simulated(seed, STEPS)
    t.ok(steps >= STEPS && checks > 0)
    t.ok(events > STEPS / 200, `${events} events were told`)
    t.ok(Object.values(faults).reduce((sum, count) => sum + count, 0) > STEPS / 1000, `${JSON.stringify(faults)}`)
  })
}

t.test('a seed tells the same story each time', { timeout: 0 }, async (t) => {
  const [first, again, other] = await Promise.all([simulated(1, 5000), simulated(1, 5000), simulated(2, 5000)])
  t.strictSame(again, first)
  t.not(other.fingerprint, first.fingerprint)
})
