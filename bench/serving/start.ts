import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { launchService, type Served, startBaseline } from '../hot/processes.js'
import { withFolder } from '../workspace.js'
import { PLAIN } from './plain.js'

const PAGE = '/public/share/community'
const GOAL_S = 1

/** From the start of a process to its first answer, with everything projected, beside a bare Fastify that answers the same. */
export function benchStart(communities: Communities, creations: number, rounds: number): Promise<Figure[]> {
  return withFolder(async (own) => {
    const folder = await communities.of(creations)
    const file = join(own, 'answer.json')
    const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    // The first start only fills the caches of the file system, and is where the answer comes from.
    for (let round = -1; round < rounds; round++) {
      const ours = await firstAnswer(async () => (await launchService(folder)).served)
      if (round < 0) writeFileSync(file, ours.body)
      const bare = await firstAnswer(() => startBaseline(file, PLAIN))
      if (round < 0) continue
      times.ours.push(ours.seconds)
      times.bare.push(bare.seconds)
    }
    const value = median(times.ours)
    return [
      {
        name: `start to first answer, ${creations} creations projected`,
        value,
        unit: 's',
        reference: `bare Fastify (${median(times.bare).toFixed(2)} s)`,
        goal: `≤ ${GOAL_S}`,
        met: value <= GOAL_S,
      },
    ]
  })
}

async function firstAnswer(start: () => Promise<Served>): Promise<{ seconds: number; body: string }> {
  const began = performance.now()
  const served = await start()
  try {
    const answer = await asSoonAsPossible(`http://127.0.0.1:${served.port}${PAGE}`)
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${PAGE}: ${answer.status}`)
    return { seconds: (performance.now() - began) / 1000, body }
  } finally {
    await served.stop()
  }
}

/** The first answer of a process that does not listen yet when the request is sent. */
async function asSoonAsPossible(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer !== null) return answer
    await delay(5)
  }
}
