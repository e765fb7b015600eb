/** `npm run chaos -- --simulate [--seed N] [--seeds N] [--steps N]` */
import { parseArgs } from 'node:util'
import { anySeed, simulated } from '../simulation/processes.js'

const { values } = parseArgs({
  options: {
    simulate: { type: 'boolean', default: false },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
  },
})

const seeds = values.seed === undefined ? Array.from({ length: Number(values.seeds) }, anySeed) : [Number(values.seed)]
let failed = 0
for (const seed of seeds) {
  try {
    const { steps, events, checks, answered, faults } = await simulated(seed, Number(values.steps))
    const count = Object.values(faults).reduce((sum, each) => sum + each, 0)
    console.log(
      `seed ${seed}: ${steps} steps, ${events} events, ${count} faults and deeds, ${checks} comparisons, ${answered} with all answers`,
    )
  } catch (error) {
    failed += 1
    console.error(error instanceof Error ? error.message : error)
  }
}
console.log(`${seeds.length - failed} of ${seeds.length} seeds hold`)
process.exitCode = failed === 0 ? 0 : 1
