import { createHash } from 'node:crypto'
import { SeededRandom } from '../../demo/random.js'
import { LOCALES } from '../reference-model/arbitrary-fields.js'
import { EngineWorld } from './engine-world.js'
import { Invariants } from './invariants.js'
import { type FaultRates, type Faults, NO_FAULTS } from './unreliable-stores.js'
import { VirtualTime } from './virtual-time.js'

export interface Simulated {
  steps: number
  faults: Faults
  events: number
  /** How often everything was compared with a replay, and how often with the reference model, too. */
  checks: number
  answered: number
  /** The same seed gives the same one. */
  fingerprint: string
}

/** Steps with faults before the faults end, the machines catch up, and everything is compared. */
const ROUND = 4000
/** Far more steps than the machines need to catch up. */
const MAX_STEPS_TO_SETTLE = 100_000
const EVENTS_PER_STEP = 0.01

const FAULT_RATES: readonly FaultRates[] = [{ failing: 5, slow: 2 }, { failing: 20, slow: 10 }, NO_FAULTS, { failing: 80, slow: 3 }]

/** Runs the engine in a made-up world for so many steps. Rejects with what is wrong. Once in a process: see {@link VirtualTime}. */
export async function simulate(seed: number, steps: number): Promise<Simulated> {
  const dice = new SeededRandom(seed)
  const time = new VirtualTime(dice)
  const world = new EngineWorld(time, dice, seed, Math.ceil(steps * EVENTS_PER_STEP))
  const invariants = new Invariants(world)
  const hash = createHash('sha256')
  let checks = 0
  let answered = 0
  time.install()
  world.start()
  for (let round = 0; time.steps < steps; round++) {
    world.faultRates = FAULT_RATES[round % FAULT_RATES.length] ?? NO_FAULTS
    for (const end = time.steps + ROUND; time.steps < end; ) {
      if (dice.chance(1, 40)) await world.happen()
      if (dice.chance(1, 20)) await invariants.readersNeverGoBack()
      // No machine has anything to run.
      if (!(await time.step())) world.start()
    }
    await settle(world, time, invariants)
    await invariants.generationsMatchReplay()
    checks += 1
    if (dice.chance(1, 3)) {
      while ((await world.discardPoison()) > 0) await settle(world, time, invariants)
      await invariants.generationsMatchReplay()
      if (await invariants.answersMatchReferenceModel(dice.pick(LOCALES))) answered += 1
    }
    hash.update(JSON.stringify([time.steps, time.now, world.faults]))
  }
  world.publishRest()
  do await settle(world, time, invariants)
  while ((await world.discardPoison()) > 0)
  await invariants.generationsMatchReplay()
  await invariants.gapsAreThoseOfTheLog()
  if (await invariants.hasDeadLetters()) throw new Error('dead letters are left after all of them were discarded')
  if (await invariants.answersMatchReferenceModel('en')) answered += 1
  return {
    steps: time.steps,
    faults: { ...world.faults, ...world.troubles },
    events: world.records.length,
    checks,
    answered,
    fingerprint: hash.digest('hex'),
  }
}

async function settle(world: EngineWorld, time: VirtualTime, invariants: Invariants): Promise<void> {
  world.calm()
  for (const end = time.steps + MAX_STEPS_TO_SETTLE; time.steps < end; ) {
    for (let i = 0; i < 50; i++) await time.step()
    // A leader looks for work whenever something changes in the store, so change something.
    await world.store.deleteControlRecord('nothing', 'at all')
    await invariants.readersNeverGoBack()
    if ((await invariants.unsettled()) === null) return
  }
  throw new Error(`does not settle: ${await invariants.unsettled()}`)
}
