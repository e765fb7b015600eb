/**
 * `npm run chaos [-- --on cluster] [--seed N] [--faults N]`: real processes on SQLite, or on NATS and MongoDB, in trouble.
 * `npm run chaos -- --soak MINUTES`: one process at work, and its memory and handles.
 * `npm run chaos -- --simulate [--jobs] [--seed N] [--seeds N] [--steps N]`: the engine, or ask jobs, in a made-up world.
 */
import { inspect, parseArgs } from 'node:util'
import { anySeed, simulated, simulatedJobs } from '../simulation/processes.js'
import { campaign, ENVIRONMENTS } from './campaign.js'
import { isFlat, soak } from './soak.js'

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'sqlite' },
    simulate: { type: 'boolean', default: false },
    jobs: { type: 'boolean', default: false },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    faults: { type: 'string', default: '500' },
    soak: { type: 'string' },
  },
})

const seeds = values.seed === undefined ? Array.from({ length: Number(values.seeds) }, anySeed) : [Number(values.seed)]
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await chosen()

function chosen(): Promise<number> {
  if (values.soak !== undefined) return soakFor(Number(values.soak))
  return values.simulate ? simulateAll() : runCampaigns()
}

async function soakFor(minutes: number): Promise<number> {
  const grown = await soak(minutes, (sample) => console.log(inspect(sample, { breakLength: 200 })))
  console.log(grown)
  return isFlat(grown) ? 0 : 1
}

async function runCampaigns(): Promise<number> {
  const on = ENVIRONMENTS.find((each) => each === values.on)
  if (on === undefined) throw new Error(`--on must be one of ${ENVIRONMENTS.join(', ')}`)
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
      console.log(await (values.jobs ? jobsOf(seed) : engineOf(seed)))
    } catch (error) {
      failed += 1
      console.error(error instanceof Error ? error.message : error)
    }
  }
  console.log(`${seeds.length - failed} of ${seeds.length} seeds hold`)
  return failed === 0 ? 0 : 1
}

async function engineOf(seed: number): Promise<string> {
  const { steps, events, checks, answered, faults } = await simulated(seed, Number(values.steps))
  return `seed ${seed}: ${steps} steps, ${events} events, ${sumOf(faults)} faults and deeds, ${checks} comparisons, ${answered} with all answers`
}

async function jobsOf(seed: number): Promise<string> {
  const { steps, accepted, checks, faults } = await simulatedJobs(seed, Number(values.steps))
  return `seed ${seed}: ${steps} steps, ${accepted} questions, ${sumOf(faults)} faults and deeds, looked at ${checks} times`
}

function sumOf(faults: Record<string, number>): number {
  return Object.values(faults).reduce((sum, each) => sum + each, 0)
}
