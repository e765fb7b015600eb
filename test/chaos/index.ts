/**
 * `npm run chaos [-- --on cluster] [--seed N] [--faults N]`: real processes on SQLite, or on NATS and MongoDB, in trouble.
 * `npm run chaos -- --connections 5000`: so many connections, held open and answered.
 * `npm run chaos -- --streams 1000`: so many streamed answers, open at the same time.
 * `npm run chaos -- --overload [--on cluster] [--by batch]`: five times as many requests as one process can answer.
 * `npm run chaos -- --soak MINUTES`: one process at work, and its memory and handles.
 * `npm run chaos -- --simulate [--jobs] [--seed N] [--seeds N] [--steps N]`: the engine, or ask jobs, in a made-up world.
 */
import { inspect, parseArgs } from 'node:util'
import { anySeed, simulated, simulatedJobs } from '../simulation/processes.js'
import { campaign, ENVIRONMENTS, type EnvironmentName } from './campaign.js'
import { holdConnections } from './connections.js'
import { overload, REQUEST_KINDS } from './overload.js'
import { isFlat, soak } from './soak.js'
import { holdStreams } from './streams.js'

const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'sqlite' },
    simulate: { type: 'boolean', default: false },
    jobs: { type: 'boolean', default: false },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    faults: { type: 'string', default: '500' },
    connections: { type: 'string' },
    streams: { type: 'string' },
    overload: { type: 'boolean', default: false },
    by: { type: 'string', default: 'read' },
    soak: { type: 'string' },
  },
})

const seeds = values.seed === undefined ? Array.from({ length: Number(values.seeds) }, anySeed) : [Number(values.seed)]
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await chosen()

function chosen(): Promise<number> {
  if (values.connections !== undefined) return holdAll(Number(values.connections))
  if (values.streams !== undefined) return streamAll(Number(values.streams))
  if (values.soak !== undefined) return soakFor(Number(values.soak))
  if (values.overload) return runOverload()
  return values.simulate ? simulateAll() : runCampaigns()
}

async function holdAll(count: number): Promise<number> {
  const held = await holdConnections(count)
  console.log(held)
  return held.open === count && held.answeredAgain === count ? 0 : 1
}

async function streamAll(count: number): Promise<number> {
  const streamed = await holdStreams(count)
  console.log(streamed)
  return streamed.openAtOnce === count && streamed.completed === count ? 0 : 1
}

async function runOverload(): Promise<number> {
  const wish = REQUEST_KINDS.find((each) => each === values.by)
  if (wish === undefined) throw new Error(`--by must be one of ${REQUEST_KINDS.join(', ')}`)
  const overloaded = await overload(environmentName(), wish)
  console.log(overloaded)
  const { wrong, shed, acceptedP99Ms, normalP99Ms } = overloaded
  return wrong === 0 && shed > 0 && acceptedP99Ms <= 3 * normalP99Ms ? 0 : 1
}

async function soakFor(minutes: number): Promise<number> {
  const grown = await soak(minutes, (sample) => console.log(inspect(sample, { breakLength: 200 })))
  console.log(grown)
  return isFlat(grown) ? 0 : 1
}

async function runCampaigns(): Promise<number> {
  const on = environmentName()
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

function environmentName(): EnvironmentName {
  const on = ENVIRONMENTS.find((each) => each === values.on)
  if (on === undefined) throw new Error(`--on must be one of ${ENVIRONMENTS.join(', ')}`)
  return on
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
