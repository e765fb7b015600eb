/** What can happen to a process of the program. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './environment.js'
import type { Role } from './installation.js'

const HOUR = 3_600_000
/** Sometimes longer than a lease. */
const LONG_MS = 3500

export function processFaults(role: Role, share: number): Fault[] {
  return [
    {
      name: `kill ${role}`,
      target: role,
      weight: 4 * share,
      async run(installation) {
        await installation.stop(role, 'SIGKILL')
        await installation.start(role)
      },
    },
    {
      name: `freeze ${role}`,
      target: role,
      weight: share,
      async run(installation, dice) {
        const pauseMs = dice.chance(1, 4) ? LONG_MS : dice.below(800)
        await installation.whileFrozen(role, () => delay(pauseMs))
      },
    },
    {
      name: `wrong clock ${role}`,
      target: role,
      weight: share,
      async run(installation, dice) {
        const hours = dice.pick([-12, -6, 6, 12])
        await installation.stop(role, 'SIGKILL')
        await installation.start(role, hours * HOUR)
      },
    },
    {
      name: `stop ${role}`,
      target: role,
      weight: share,
      async run(installation) {
        await installation.untilAlive(role)
        const code = await installation.stop(role, 'SIGTERM')
        if (code !== 0) throw new Error(`${role} ends with ${code}: ${installation.process(role).stderr}`)
        await installation.start(role)
      },
    },
  ]
}
