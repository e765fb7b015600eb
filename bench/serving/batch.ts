import { Agent, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { alternate } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { startService } from '../hot/processes.js'
import { ratioAtMost } from '../ratio-figure.js'

const GOAL = 0.5

/** What an agent asks for to get to know a community. */
const READS: { path: string; operation: string; arguments: Record<string, unknown> }[] = [
  { path: '/public/share/community', operation: 'get_community_feed', arguments: {} },
  { path: '/public/share/community?sort=recent', operation: 'get_community_feed', arguments: { sort: 'recent' } },
  { path: '/public/share/community?sort=liked', operation: 'get_community_feed', arguments: { sort: 'liked' } },
  { path: '/public/share/community?category=games', operation: 'get_community_feed', arguments: { category: 'games' } },
  { path: '/public/share/community?tag=offline', operation: 'get_community_feed', arguments: { tag: 'offline' } },
  { path: '/public/share/community?featuredOnly=true', operation: 'get_community_feed', arguments: { featuredOnly: true } },
  { path: '/public/share/community/landing', operation: 'get_community_landing', arguments: {} },
  { path: '/public/share/community/landing?locale=es', operation: 'get_community_landing', arguments: { locale: 'es' } },
  { path: '/public/share/tags', operation: 'get_popular_tags', arguments: {} },
  { path: '/public/share/community?limit=5', operation: 'get_community_feed', arguments: { limit: 5 } },
]

/** Ten reads in one request, over the same ten one after the other on one connection. */
export async function benchBatch(communities: Communities, creations: number, rounds: number): Promise<Figure[]> {
  const service = await startService(await communities.of(creations), ['--roles', 'query'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const requests = READS.map(({ operation, arguments: input }, i) => ({ id: String(i), operation, arguments: input }))
  const body = JSON.stringify({ requests })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  try {
    const { batch, single } = await alternate(
      { rounds, calls: 1 },
      {
        batch: () => answered({ port: service.web, method: 'POST', path: '/batch', headers, agent }, body),
        async single() {
          for (const { path } of READS) await answered({ port: service.port, path, agent })
        },
      },
    )
    return [
      ratioAtMost(
        `batch of ${READS.length} over as many single requests on one connection`,
        batch / single,
        GOAL,
        `${READS.length} requests (${Math.round(single)} µs)`,
      ),
    ]
  } finally {
    agent.destroy()
    await service.stop()
  }
}

function answered(options: RequestOptions, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', ...options }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${options.path} was answered with ${answer.statusCode}`))
      text(answer).then(resolve, reject)
    })
    asked.once('error', reject).end(body)
  })
}
