import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { runLoad, startBaseline, startService } from '../hot/processes.js'
import { hotUrls } from '../hot/urls.js'
import { withFolder } from '../workspace.js'
import { PLAIN } from './plain.js'

const CONNECTIONS = 32
const GOAL_MB = 120

/** The most memory a process needs that only answers readers, over a bare Fastify under the same load. */
export function benchReaderMemory(communities: Communities, creations: number, urls: number, seconds: number): Promise<Figure[]> {
  return withFolder(async (own) => {
    const service = await startService(await communities.of(creations), ['--roles', 'query'])
    const asked = await hotUrls(service.port, urls)
    const file = join(own, 'answer.json')
    writeFileSync(file, await (await fetch(`http://127.0.0.1:${service.port}${asked[0]}`)).text())
    const bare = await startBaseline(file, PLAIN)
    try {
      for (const { port } of [service, bare]) await runLoad({ port, connections: CONNECTIONS, seconds, urls: asked, expected: [200] })
      const value = service.peakMb() - bare.peakMb()
      return [
        {
          name: `peak memory of a query process, ${asked.length} addresses, ${creations} creations, over bare Fastify`,
          value,
          unit: 'MB',
          reference: `${Math.round(service.peakMb())} of ${Math.round(bare.peakMb())} MB`,
          goal: `≤ ${GOAL_MB}`,
          met: value <= GOAL_MB,
        },
      ]
    } finally {
      await service.stop()
      await bare.stop()
    }
  })
}
