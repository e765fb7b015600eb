import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../../demo/random.js'
import { clusterSite } from './cluster-environment.js'
import type { Site, Trouble } from './environment.js'
import { Household } from './installation.js'
import { sqliteSite } from './sqlite-environment.js'

export const GROUNDS = ['sqlite', 'cluster'] as const
export type Ground = (typeof GROUNDS)[number]

interface CampaignOptions {
  on: Ground
  seed: number
  faults: number
  /** Hears of every fault. */
  told?: (line: string) => void
}

interface Campaign {
  faults: Record<string, number>
  /** Of them, those that met events which were published and not committed. */
  inFlight: number
  events: number
  answers: Record<string, number>
  /** How the questions ended. */
  jobs: Record<string, number>
  refusedAppends: number
  /** Of processes that had been started on read-only files, and ended. */
  restarts: number
  seconds: number
}

/** So far may the models fall behind before the next fault: each is to meet an installation at work, not one that lies down. */
const NEAR = 300
/** More than any model commits at once. */
const BURST = 40
const MOST = 5000

/**
 * Publishes, reads and asks while things happen to the processes and the servers of an installation. Rejects with
 * what is wrong at the end, or with what has come to a halt in between.
 */
export async function campaign({ on, seed, faults, told = () => {} }: CampaignOptions): Promise<Campaign> {
  const dice = new SeededRandom(seed)
  const began = Date.now()
  const elapsed = () => Math.round((Date.now() - began) / 1000)
  const site = on === 'sqlite' ? await sqliteSite(told) : await clusterSite()
  const household = new Household(site, seed)
  const count: Record<string, number> = {}
  let inFlight = 0
  try {
    await household.publish(BURST)
    for (const member of site.members) await household.start(member)
    await household.member('query').ready()
    household.guests.come()
    for (let fault = 1; fault <= faults; ) {
      await household.within(NEAR)
      // Now and then somebody is hit while still starting.
      if (dice.chance(3, 4)) for (const member of site.members) await household.isThere(member)
      const troubles = drawn(dice, site, faults - fault + 1)
      const asked = dice.chance(1, 2) ? household.guests.ask() : null
      const [burst, wait] = [5 + dice.below(BURST), dice.below(60)]
      await household.publish(burst)
      await delay(wait)
      const busy = await atWork(household)
      await Promise.all(troubles.map((trouble) => trouble.strike(household, dice)))
      await asked
      for (const { name } of troubles) {
        count[name] = (count[name] ?? 0) + 1
        if (busy) inFlight += 1
        told(`${fault++} ${name}${busy ? ', with work in flight' : ''} (${elapsed()} s)`)
      }
    }
    const jobs = await ended(household, told)
    const { last } = await site.log.bounds()
    const { refusedAppends, restarts, guests } = household
    return { faults: count, inFlight, events: last, answers: guests.answers, jobs, refusedAppends, restarts, seconds: elapsed() }
  } finally {
    await household.close()
    await site.close()
  }
}

/** What happens next: one thing, and sometimes another one at the same time. */
function drawn(dice: SeededRandom, { troubles }: Site, atMost: number): Trouble[] {
  const first = weighted(dice, troubles)
  if (!dice.chance(1, 4) || atMost < 2) return [first]
  return [
    first,
    weighted(
      dice,
      troubles.filter((trouble) => trouble.with !== first.with),
    ),
  ]
}

function weighted(dice: SeededRandom, troubles: readonly Trouble[]): Trouble {
  return dice.pick(troubles.flatMap((trouble) => Array<Trouble>(trouble.weight).fill(trouble)))
}

/** Publishes more and more until there is something that has not been committed yet. */
async function atWork(household: Household): Promise<boolean> {
  for (let more = BURST; more <= MOST; more *= 2) {
    if ((await household.behind()) > 0) return true
    await household.publish(more)
  }
  return false
}

/** Everybody is there again, and comes to the end; then all is compared. Gives how the questions ended. */
async function ended(household: Household, told: (line: string) => void): Promise<Record<string, number>> {
  await household.publishRest()
  for (const member of household.site.members) await household.isThere(member)
  await household.within(0)
  await household.member('query').ready()
  const { faults, ended } = await household.jobFaults()
  told(`questions: ${JSON.stringify(ended)}`)
  await household.guests.leave()
  for (const member of household.site.members) {
    const code = await household.leave(member, 'SIGTERM')
    if (code !== 0) faults.push(`${member} ends with ${code}: ${household.member(member).stderr}`)
  }
  faults.push(...household.complaints(), ...(await household.logFaults()), ...(await household.modelFaults()))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return ended
}
