import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../../demo/random.js'
import { clusterEnvironment } from './cluster-environment.js'
import type { Environment, Fault } from './environment.js'
import { Installation } from './installation.js'
import { sqliteEnvironment } from './sqlite-environment.js'

export const ENVIRONMENTS = ['sqlite', 'cluster'] as const
export type EnvironmentName = (typeof ENVIRONMENTS)[number]

interface CampaignOptions {
  on: EnvironmentName
  seed: number
  faults: number
  /** Called with a line for every fault. */
  told?: (line: string) => void
}

interface Campaign {
  faults: Record<string, number>
  /** How many of them happened while published events were not yet committed. */
  inFlight: number
  events: number
  /** What went wrong upstream. */
  upstream: Readonly<Record<string, number>>
  answers: Record<string, number>
  /** How the questions ended. */
  jobs: Record<string, number>
  refusedAppends: number
  /** Of processes that had been started on read-only files, and ended. */
  restarts: number
  seconds: number
}

/** The next fault waits until the models lag by at most this many events, so that each fault hits an installation that works. */
const MAX_LAG = 300
/** More events than any model commits at once. */
const BURST = 40
const MAX_BURST = 5000

/**
 * Publishes, reads and asks while faults hit the processes and servers of an installation, and upstream is unreliable, too.
 * Rejects with what is wrong at the end, or with what stopped working in between.
 */
export async function campaign({ on, seed, faults, told = () => {} }: CampaignOptions): Promise<Campaign> {
  const dice = new SeededRandom(seed)
  const began = Date.now()
  const elapsed = () => Math.round((Date.now() - began) / 1000)
  const environment = on === 'sqlite' ? await sqliteEnvironment(told) : await clusterEnvironment()
  const installation = new Installation(environment, seed)
  const count: Record<string, number> = {}
  let inFlight = 0
  try {
    await installation.publish(BURST)
    for (const role of environment.roles) await installation.start(role)
    await installation.process('query').ready()
    installation.clients.start()
    for (let fault = 1; fault <= faults; ) {
      await installation.untilLagIsAtMost(MAX_LAG)
      // One fault in four may hit a process that is still starting.
      if (dice.chance(3, 4)) for (const role of environment.roles) await installation.untilAlive(role)
      const next = nextFaults(dice, environment, faults - fault + 1)
      const asked = dice.chance(1, 2) ? installation.clients.ask() : null
      const [burst, wait] = [5 + dice.below(BURST), dice.below(60)]
      await installation.publish(burst)
      await delay(wait)
      const busy = await publishUntilBusy(installation)
      await Promise.all(next.map((fault) => fault.run(installation, dice)))
      await asked
      for (const { name } of next) {
        count[name] = (count[name] ?? 0) + 1
        if (busy) inFlight += 1
        told(`${fault++} ${name}${busy ? ', with work in flight' : ''} (${elapsed()} s)`)
      }
    }
    const jobs = await checkAtEnd(installation, told)
    const { last } = await environment.log.bounds()
    const { refusedAppends, restarts, clients, troubles: upstream } = installation
    return { faults: count, inFlight, events: last, upstream, answers: clients.answers, jobs, refusedAppends, restarts, seconds: elapsed() }
  } finally {
    await installation.close()
    await environment.close()
  }
}

/** One fault, and sometimes a second one at the same time. */
function nextFaults(dice: SeededRandom, { faults }: Environment, atMost: number): Fault[] {
  const first = weighted(dice, faults)
  if (!dice.chance(1, 4) || atMost < 2) return [first]
  return [
    first,
    weighted(
      dice,
      faults.filter((fault) => fault.target !== first.target),
    ),
  ]
}

function weighted(dice: SeededRandom, faults: readonly Fault[]): Fault {
  return dice.pick(faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault)))
}

/** Publishes more and more until some events are not committed yet. */
async function publishUntilBusy(installation: Installation): Promise<boolean> {
  for (let more = BURST; more <= MAX_BURST; more *= 2) {
    if ((await installation.lag()) > 0) return true
    await installation.publish(more)
  }
  return false
}

/** Waits until all processes run and have caught up, then compares everything. Returns how the questions ended. */
async function checkAtEnd(installation: Installation, told: (line: string) => void): Promise<Record<string, number>> {
  await installation.publishRest()
  for (const role of installation.environment.roles) await installation.untilAlive(role)
  await installation.untilLagIsAtMost(0)
  await installation.process('query').ready()
  const { faults, ended } = await installation.jobFaults()
  told(`questions: ${JSON.stringify(ended)}`)
  await installation.clients.stop()
  for (const role of installation.environment.roles) {
    const code = await installation.stop(role, 'SIGTERM')
    if (code !== 0) faults.push(`${role} ends with ${code}: ${installation.process(role).stderr}`)
  }
  faults.push(...installation.clientFaults(), ...(await installation.logFaults()), ...(await installation.modelFaults()))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return ended
}
