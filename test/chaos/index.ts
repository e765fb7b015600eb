/**
 * `npm run chaos [-- --on cluster] [--seed N] [--faults N]`: real processes on SQLite, or on NATS and MongoDB, in trouble.
 * `npm run chaos -- --connections 5000`: so many connections, held open and answered.
 * `npm run chaos -- --simulate [--seed N] [--seeds N] [--steps N]`: the engine alone, in a made-up world.
 */
import { inspect, parseArgs } from 'node:util'
import { anySeed, simulated } from '../simulation/processes.js'
import { campaign, GROUNDS } from './campaign.js'
import { holdConnections } from './connections.js'

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'sqlite' },
    simulate: { type: 'boolean', default: false },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    faults: { type: 'string', default: '500' },
    connections: { type: 'string' },
  },
})

const seeds = values.seed === undefined ? Array.from({ length: Number(values.seeds) }, anySeed) : [Number(values.seed)]
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await chosen()

function chosen(): Promise<number> {
  if (values.connections !== undefined) return holdAll(Number(values.connections))
  return values.simulate ? simulateAll() : runCampaigns()
}

async function holdAll(count: number): Promise<number> {
  const held = await holdConnections(count)
  console.log(held)
  return held.open === count && held.answeredAgain === count ? 0 : 1
}

async function runCampaigns(): Promise<number> {
  const on = GROUNDS.find((ground) => ground === values.on)
  if (on === undefined) throw new Error(`--on must be one of ${GROUNDS.join(', ')}`)
  const faults = Number(values.faults)
  for (const seed of seeds) {
    console.log(`seed ${seed}`)
    try {
      console.log(inspect(await campaign({ on, seed, faults, told: (line) => console.log(line) }), { breakLength: 120 }))
    } catch (error) {
      console.error(`seed ${seed} fails: ${inspect(error)}\nRepeat it with: npm run chaos -- --on ${on} --seed ${seed} --faults ${faults}`)
      return 1
    }
  }
  return 0
}

async function simulateAll(): Promise<number> {
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
  return failed === 0 ? 0 : 1
}
