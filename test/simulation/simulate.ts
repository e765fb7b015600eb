import { createHash } from 'node:crypto'
import { SeededRandom } from '../../demo/random.js'
import { LOCALES } from '../reference-model/arbitrary-fields.js'
import { World } from './engine-world.js'
import { Invariants } from './invariants.js'
import { CALM, type Faults, type Weather } from './unreliable-stores.js'
import { VirtualTime } from './virtual-time.js'

export interface Simulated {
  steps: number
  faults: Faults
  events: number
  /** How often everything was compared, and how often with the naive model, too. */
  checks: number
  answered: number
  /** The same seed gives the same one. */
  fingerprint: string
}

/** Steps of trouble before everybody gets the time to come to rest and is looked at. */
const ROUND = 4000
/** Far more than any of them needs to come to rest. */
const PATIENCE = 100_000
const EVENTS_PER_STEP = 0.01

const WEATHERS: readonly Weather[] = [{ failing: 5, slow: 2 }, { failing: 20, slow: 10 }, CALM, { failing: 80, slow: 3 }]

/** Runs the engine in a made-up world for so many steps. Rejects with what is wrong. Once in a process: see {@link VirtualTime}. */
export async function simulate(seed: number, steps: number): Promise<Simulated> {
  const dice = new SeededRandom(seed)
  const time = new VirtualTime(dice)
  const world = new World(time, dice, seed, Math.ceil(steps * EVENTS_PER_STEP))
  const invariants = new Invariants(world)
  const hash = createHash('sha256')
  let checks = 0
  let answered = 0
  time.install()
  world.start()
  for (let round = 0; time.steps < steps; round++) {
    world.weather = WEATHERS[round % WEATHERS.length] ?? CALM
    for (const end = time.steps + ROUND; time.steps < end; ) {
      if (dice.chance(1, 40)) await world.happen()
      if (dice.chance(1, 20)) await invariants.neverBack()
      // Nobody is there who could do anything.
      if (!(await time.step())) world.start()
    }
    await comeToRest(world, time, invariants)
    await invariants.wholeAndTrue()
    checks += 1
    if (dice.chance(1, 3)) {
      while ((await world.discardPoison()) > 0) await comeToRest(world, time, invariants)
      await invariants.wholeAndTrue()
      if (await invariants.answersAreRight(dice.pick(LOCALES))) answered += 1
    }
    hash.update(JSON.stringify([time.steps, time.now, world.faults]))
  }
  return { steps: time.steps, faults: world.faults, events: world.records.length, checks, answered, fingerprint: hash.digest('hex') }
}

async function comeToRest(world: World, time: VirtualTime, invariants: Invariants): Promise<void> {
  world.calm()
  for (const end = time.steps + PATIENCE; time.steps < end; ) {
    for (let i = 0; i < 50; i++) await time.step()
    // A leader looks around whenever anything changes in the store, and in a quiet world nothing does.
    await world.store.deleteControlRecord('nothing', 'at all')
    await invariants.neverBack()
    if ((await invariants.unsettled()) === null) return
  }
  throw new Error(`nothing comes to rest: ${await invariants.unsettled()}`)
}
