/** One address with 128 connections that asks for pages all the time: the others are served. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import t from 'tap'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'

const CONNECTIONS = 128
const LIMIT = 300
const PAGES = ['/', '/@ada-l', '/?q=maze', '/docs']
const BROWSER = { accept: 'text/html' }

/** A caller with an address of its own, and as many connections as it wants. */
function caller(localAddress: string) {
  const agent = new Agent({ keepAlive: true, localAddress })
  t.teardown(() => agent.destroy())
  return async (port: number, path: string, headers: Record<string, string> = BROWSER): Promise<number> => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, agent })
    outgoing.end()
    const [response] = await once(outgoing, 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
}

const folder = await DataFolder.of(t, ...COMMUNITY)
await folder.project()
await folder.close()
const serving = await Serving.start(t, folder.path, ['--rate-limit-pages', String(LIMIT)])
await serving.ready()

await t.test('the others are served', async (t) => {
  const flooder = caller('127.0.0.2')
  const flooded = new Map<number, number>()
  let isOver = false
  const flood = Array.from({ length: CONNECTIONS }, async (_, i) => {
    while (!isOver) {
      const status = await flooder(serving.web, PAGES[i % PAGES.length] ?? '/')
      flooded.set(status, (flooded.get(status) ?? 0) + 1)
    }
  })
  const others = Array.from({ length: 6 }, async (_, i) => {
    const other = caller(`127.0.0.${10 + i}`)
    const statuses: number[] = []
    // Reads that are in no cache, and pages.
    for (let n = 0; n < 40; n++)
      statuses.push(
        i % 2 === 0
          ? await other(serving.api, `/public/share/community?q=maze-${i}-${n}`)
          : await other(serving.web, PAGES[n % PAGES.length] ?? '/'),
      )
    return statuses
  })
  const statuses = (await Promise.all(others)).flat()
  // Also once the flooder's limit is used up.
  while ((flooded.get(429) ?? 0) < 1000) await Promise.race(flood.map(() => flooder(serving.web, '/')))
  isOver = true
  await Promise.all(flood)
  t.equal(statuses.filter((status) => status !== 200).length, 0, `of ${statuses.length}`)
  t.ok((flooded.get(200) ?? 0) + (flooded.get(503) ?? 0) <= LIMIT, JSON.stringify([...flooded]))
})
