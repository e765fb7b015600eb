import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoLog } from '../../demo/index.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import type { Figure } from '../figures.js'
import { logPath, project, withFolder, writeLog } from '../workspace.js'
import { runLoad, startBaseline, startService } from './processes.js'
import type { Recorded } from './recorded-answers-process.js'
import { hotUrls } from './urls.js'

export interface HotOptions {
  creations: number
  urls: number
  seconds: number
  rounds: number
  /** Events a second that arrive during the measurement. */
  events: number
}

const CONNECTIONS = 32
const GOAL = 0.9
const GOAL_MB = 120

/** Requests a second for addresses that are asked for again and again while events arrive, beside bare Fastify. */
export async function benchHot({ creations, urls, seconds, rounds, events: rate }: HotOptions): Promise<Figure[]> {
  return withFolder(async (folder) => {
    console.error(`hot: projecting ${creations} creations …`)
    const events = [...demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })]
    const coming = events.splice(events.length - rate * Math.ceil((4 * rounds + 2) * (seconds + 2)))
    await writeLog(folder, events)
    await project(folder)
    const service = await startService(folder)
    const recorded = await record(service.port, await hotUrls(service.port, urls))
    const file = join(folder, 'recorded.json')
    writeFileSync(file, JSON.stringify(recorded))
    const bare = await startBaseline(file)
    const publishing = publish(folder, coming, rate)
    try {
      const measure = (conditional: boolean) => alternate(rounds, seconds, [service.port, bare.port], recorded, conditional)
      const [ours, reference] = await measure(false)
      const [unchanged, unchangedBare] = await measure(true)
      const extra = service.peakMb() - bare.peakMb()
      return [
        figure(`hot reads, ${recorded.length} addresses, ${rate} events/s arriving`, ours, reference, 'bare Fastify'),
        figure('the same with If-None-Match', unchanged, unchangedBare, 'bare Fastify'),
        {
          name: 'peak memory under that load, projector included, over bare Fastify',
          value: extra,
          unit: 'MB',
          reference: `bare Fastify (${Math.round(bare.peakMb())} MB)`,
          goal: `≤ ${GOAL_MB}`,
          met: extra <= GOAL_MB,
        },
      ]
    } finally {
      await publishing.stop()
      await service.stop()
      await bare.stop()
    }
  })
}

function figure(name: string, ours: number, reference: number, what: string): Figure {
  const value = ours / reference
  return { name, value, unit: '×', reference: `${what} (${Math.round(reference)}/s)`, goal: `≥ ${GOAL}`, met: value >= GOAL }
}

/** Medians of rounds in turn: what disturbs one disturbs the other. The first round of each only warms up. */
async function alternate(
  rounds: number,
  seconds: number,
  [ours, bare]: readonly [number, number],
  recorded: readonly Recorded[],
  conditional: boolean,
): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []]
  const urls = recorded.map(({ url }) => url)
  const tags = recorded.map(({ headers }) => headers.etag ?? '')
  for (let round = 0; round <= rounds; round++) {
    for (const [port, list] of [[ours, rates[0]] as const, [bare, rates[1]] as const]) {
      // 404 because the arriving events also remove creations.
      const expected = conditional ? [200, 304, 404] : [200, 404]
      const rate = await runLoad({ port, connections: CONNECTIONS, seconds, urls, expected, ...(conditional ? { tags } : {}) })
      if (round > 0) list.push(rate)
    }
  }
  return [median(rates[0]), median(rates[1])]
}

/** What a client gets, apart from headers about the connection. */
export async function record(port: number, urls: readonly string[]): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  for (const url of urls) {
    const response = await fetch(`http://127.0.0.1:${port}${url}`)
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
    const { connection: _, 'keep-alive': __, date: ___, 'content-length': ____, ...headers } = Object.fromEntries(response.headers)
    recorded.push({ url, headers, body: await response.text() })
  }
  return recorded
}

/** So many events a second, until there are none or it is stopped. */
function publish(folder: string, events: readonly NewRecord[], rate: number) {
  const log = new SqliteEventLog(logPath(folder))
  const size = rate / 20
  let at = 0
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    const chunk = events.slice(at, at + size)
    at += size
    if (chunk.length > 0) last = log.append(chunk)
  }, 50)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await log.close()
    },
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
