import { createHash } from 'node:crypto'
import { SeededRandom } from '../../demo/random.js'
import { AskWorld } from './ask-world.js'
import { type FaultRates, type Faults, NO_FAULTS } from './unreliable-stores.js'
import { VirtualTime } from './virtual-time.js'

export interface SimulatedJobs {
  steps: number
  faults: Faults
  /** Questions that were accepted, and how often all were checked. */
  accepted: number
  checks: number
  /** The same seed gives the same one. */
  fingerprint: string
}

const ROUND = 2000
/** Far more steps than all jobs need to end. */
const MAX_STEPS_TO_SETTLE = 50_000
const FAULT_RATES: readonly FaultRates[] = [{ failing: 20, slow: 10 }, { failing: 5, slow: 2 }, NO_FAULTS, { failing: 150, slow: 30 }]

/** Runs ask jobs in a made-up world for so many steps. Rejects with what is wrong. Once in a process: see {@link VirtualTime}. */
export async function simulateJobs(seed: number, steps: number): Promise<SimulatedJobs> {
  const dice = new SeededRandom(seed)
  const time = new VirtualTime(dice)
  time.install()
  const world = new AskWorld(time, dice)
  const hash = createHash('sha256')
  let checks = 0
  world.startWorker()
  for (let round = 0; time.steps < steps; round++) {
    world.faultRates = FAULT_RATES[round % FAULT_RATES.length] ?? NO_FAULTS
    for (const end = time.steps + ROUND; time.steps < end; ) {
      if (dice.chance(1, 30)) world.happen()
      // No machine has anything to run.
      if (!(await time.step())) world.startWorker()
    }
    world.calm()
    for (const end = time.steps + MAX_STEPS_TO_SETTLE; world.unfinished() !== null; ) {
      let hasTasks = true
      for (let i = 0; i < 20 && hasTasks; i++) hasTasks = await time.step()
      if (time.steps > end || (!hasTasks && world.unfinished() !== null)) throw new Error(`a question does not end: ${world.unfinished()}`)
    }
    world.check()
    checks += 1
    hash.update(JSON.stringify([time.steps, time.now, world.faults]))
  }
  return { steps: time.steps, faults: world.faults, accepted: world.accepted.size, checks, fingerprint: hash.digest('hex') }
}
