import { createHash } from 'node:crypto'
import { SeededRandom } from '../../demo/random.js'
import { Office } from './ask-world.js'
import { CALM, type Faults, type Weather } from './unreliable-stores.js'
import { VirtualTime } from './virtual-time.js'

export interface SimulatedJobs {
  steps: number
  faults: Faults
  /** Questions that were accepted, and how often all were looked at. */
  accepted: number
  checks: number
  /** The same seed gives the same one. */
  fingerprint: string
}

const ROUND = 2000
/** Far more than all of them need to come to their end, were they to be tried for the last time. */
const PATIENCE = 50_000
const WEATHERS: readonly Weather[] = [{ failing: 20, slow: 10 }, { failing: 5, slow: 2 }, CALM, { failing: 150, slow: 30 }]

/** Runs ask jobs in a made-up world for so many steps. Rejects with what is wrong. Once in a process: see {@link VirtualTime}. */
export async function simulateJobs(seed: number, steps: number): Promise<SimulatedJobs> {
  const dice = new SeededRandom(seed)
  const time = new VirtualTime(dice)
  time.install()
  const office = new Office(time, dice)
  const hash = createHash('sha256')
  let checks = 0
  office.hire()
  for (let round = 0; time.steps < steps; round++) {
    office.weather = WEATHERS[round % WEATHERS.length] ?? CALM
    for (const end = time.steps + ROUND; time.steps < end; ) {
      if (dice.chance(1, 30)) office.happen()
      // Nobody is there who could do anything.
      if (!(await time.step())) office.hire()
    }
    office.calm()
    for (const end = time.steps + PATIENCE; office.unfinished() !== null; ) {
      let isAnybodyThere = true
      for (let i = 0; i < 20 && isAnybodyThere; i++) isAnybodyThere = await time.step()
      if (time.steps > end || (!isAnybodyThere && office.unfinished() !== null))
        throw new Error(`a question is left behind: ${office.unfinished()}`)
    }
    office.check()
    checks += 1
    hash.update(JSON.stringify([time.steps, time.now, office.faults]))
  }
  return { steps: time.steps, faults: office.faults, accepted: office.accepted.size, checks, fingerprint: hash.digest('hex') }
}
