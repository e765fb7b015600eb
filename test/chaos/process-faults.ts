/** What can happen to a process of the program. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Trouble } from './environment.js'
import type { Member } from './installation.js'

const HOUR = 3_600_000
/** Sometimes longer than a lease. */
const LONG_MS = 3500

export function processTroubles(member: Member, share: number): Trouble[] {
  return [
    {
      name: `kill ${member}`,
      with: member,
      weight: 4 * share,
      async strike(household) {
        await household.leave(member, 'SIGKILL')
        await household.start(member)
      },
    },
    {
      name: `freeze ${member}`,
      with: member,
      weight: share,
      async strike(household, dice) {
        const pauseMs = dice.chance(1, 4) ? LONG_MS : dice.below(800)
        await household.frozen(member, () => delay(pauseMs))
      },
    },
    {
      name: `wrong clock ${member}`,
      with: member,
      weight: share,
      async strike(household, dice) {
        const hours = dice.pick([-12, -6, 6, 12])
        await household.leave(member, 'SIGKILL')
        await household.start(member, hours * HOUR)
      },
    },
    {
      name: `stop ${member}`,
      with: member,
      weight: share,
      async strike(household) {
        await household.isThere(member)
        const code = await household.leave(member, 'SIGTERM')
        if (code !== 0) throw new Error(`${member} ends with ${code}: ${household.member(member).stderr}`)
        await household.start(member)
      },
    },
  ]
}
