import { setTimeout as delay } from 'node:timers/promises'
import { Dice } from '../../src/demo/dice.js'
import { Household, MEMBERS, type Member } from './household.js'
import { SmallDisk } from './small-disk.js'

export interface Campaign {
  faults: Record<string, number>
  /** Of them, those that met uncommitted work. */
  inFlight: number
  events: number
  answers: Record<string, number>
  jobs: number
  refusedAppends: number
  seconds: number
}

const HOUR = 3_600_000

/**
 * Publishes, reads and asks while the processes of an installation on SQLite are killed, frozen, started with a wrong clock
 * and left without room on the disk. Rejects with what is wrong afterwards. `told` hears of every fault.
 */
export async function campaign(seed: number, faults: number, told: (line: string) => void = () => {}): Promise<Campaign> {
  const dice = new Dice(seed)
  const disk = new SmallDisk()
  if (!disk.isSmall) told('no file system may be mounted here: the disk is never full')
  const household = await Household.open(disk.path, seed)
  const count: Record<string, number> = {}
  const began = Date.now()
  let inFlight = 0
  try {
    await household.publish(50)
    for (const member of MEMBERS) await household.start(member)
    await household.member('query').ready()
    for (let fault = 1; fault <= faults; fault++) {
      const kind = dice.pick(disk.isSmall ? KINDS : KINDS.filter((each) => each !== 'full disk'))
      const member = dice.chance(2, 3) ? 'projector' : dice.pick(MEMBERS)
      await household.use(dice.chance(1, 2))
      await household.publish(5 + dice.below(40))
      await delay(dice.below(60))
      const busy = await household.isBusy()
      if (busy) inFlight += 1
      await DEEDS[kind](household, member, dice, disk)
      const name = kind === 'full disk' ? kind : `${kind} ${member}`
      count[name] = (count[name] ?? 0) + 1
      told(`${fault} ${name}${busy ? ', with work in flight' : ''}`)
    }
    await household.publish(1)
    await atEnd(household)
    const { last } = await household.log.bounds()
    const { answers, jobs, refusedAppends } = household
    return { faults: count, inFlight, events: last, answers, jobs, refusedAppends, seconds: Math.round((Date.now() - began) / 1000) }
  } finally {
    await household.close()
    disk.remove()
  }
}

const KINDS = ['kill', 'kill', 'kill', 'kill', 'freeze', 'wrong clock', 'full disk'] as const

const DEEDS: Record<(typeof KINDS)[number], (household: Household, member: Member, dice: Dice, disk: SmallDisk) => Promise<void>> = {
  async kill(household, member) {
    await household.member(member).end('SIGKILL')
    await household.start(member)
  },
  async freeze(household, member, dice) {
    const frozen = household.member(member)
    frozen.signal('SIGSTOP')
    // Sometimes longer than a lease.
    await delay(dice.chance(1, 4) ? 3500 : dice.below(800))
    frozen.signal('SIGCONT')
  },
  async 'wrong clock'(household, member, dice) {
    await household.member(member).end('SIGKILL')
    await household.start(member, (dice.below(5) - 2) * 6 * HOUR)
  },
  async 'full disk'(household, _member, dice, disk) {
    const makeRoom = await disk.fill()
    try {
      await household.publish(20)
      await household.use(true)
      await delay(dice.below(700))
    } finally {
      makeRoom()
    }
  },
}

/** Everybody is there again, and comes to the end; then all is compared. */
async function atEnd(household: Household): Promise<void> {
  for (const deadline = Date.now() + 120_000; (await household.behind()) > 0; ) {
    if (Date.now() > deadline)
      throw new Error(`${await household.behind()} events are never projected: ${household.member('projector').stderr}`)
    await delay(100)
  }
  await household.member('query').ready()
  await household.jobsHaveEnded()
  for (const member of MEMBERS) {
    const code = await household.member(member).end('SIGTERM')
    if (code !== 0) throw new Error(`${member} ends with ${code}: ${household.member(member).stderr}`)
  }
  const differing = await household.verify()
  if (differing.length > 0) throw new Error(`verify finds differences: ${differing.join('\n')}`)
}
