import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { feedProjection } from '../../projections/feed/index.js'
import { readConfig } from '../../src/compose/config.js'
import { openDocuments } from '../../src/compose/stores.js'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import { Serving } from '../../test/harness/program.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import { type StoreName, TeardownStack, withStore } from '../servers.js'
import { withDemoLog } from './log.js'

const PER_SECOND = 50
const QUIET_MS = 20_000
const GOAL = 1.5

const PATHS = [
  '/public/share/community',
  '/public/share/community?sort=recent&limit=48',
  '/public/share/community?sort=liked&category=games',
  '/public/share/community?q=garden',
  '/public/share/community?sort=popular&tag=offline&locale=de',
  '/public/share/community/landing',
  '/public/share/tags',
  '/public/share/community?featuredOnly=true',
]

/** How long readers wait while a service rebuilds its feed, over how long they wait while it does not. */
export function benchReadsDuringRebuild(events: number, maxRate: number, stores: readonly StoreName[]): Promise<Figure[]> {
  return withDemoLog(events, async (folder) => {
    const figures: Figure[] = []
    for (const store of stores) {
      const measured = await withStore(store, folder, async ({ environment }) => {
        const ends = new TeardownStack()
        try {
          const flags = environment.MONGODB_URL === undefined ? [] : ['--mongodb-url', environment.MONGODB_URL]
          const serving = await Serving.start(ends, folder, ['--roles', 'query,project', ...flags])
          await serving.ready()
          return await measure(serving.api, environment, maxRate)
        } finally {
          await ends.all()
        }
      })
      if (measured === null) continue
      const { without, free, throttled, refused } = measured
      const of = (times: number[]) => `${p99(times).toFixed(1)} ms of ${times.length}, without ${p99(without).toFixed(1)} ms`
      const what = `p99 of ${PER_SECOND} requests/s`
      figures.push(
        ratioAtMost(`${what} during a rebuild from ${events} events, ${store}`, p99(free) / p99(without), GOAL, of(free)),
        ratioAtMost(`the same with --max-rate ${maxRate}`, p99(throttled) / p99(without), GOAL, of(throttled)),
        { name: 'turned away in all that time', value: refused, unit: '', goal: '0', met: refused === 0 },
      )
    }
    return figures
  })
}

async function measure(port: number, environment: Record<string, string>, maxRate: number) {
  const store = await openDocuments(readConfig(environment))
  const readers = new Readers(port)
  try {
    // Warms up the caches.
    await readers.during(() => delay(QUIET_MS / 4))
    const before = await readers.during(() => delay(QUIET_MS))
    console.error('rebuilding …')
    const free = await readers.during(() => rebuilt(new RequestStore(store), null))
    const between = await readers.during(() => delay(QUIET_MS))
    console.error(`rebuilding at ${maxRate} events/s …`)
    const throttled = await readers.during(() => rebuilt(new RequestStore(store), maxRate))
    const after = await readers.during(() => delay(QUIET_MS))
    return { without: [...before, ...between, ...after], free, throttled, refused: readers.refused }
  } finally {
    readers.close()
    await store.close()
  }
}

async function rebuilt(requests: RequestStore, maxRate: number | null): Promise<void> {
  const { id } = await requests.submit(feedProjection.name, feedProjection.version, { kind: 'rebuild', maxRate })
  for (;;) {
    const found = await requests.find(id)
    if (found?.state === 'done') return
    if (found?.state !== 'open') throw new Error(`the rebuild failed: ${found?.outcome}`)
    await delay(100)
  }
}

/** Ask at a steady rate, whether or not the answers come in time: an answer's time counts from when it was due. */
class Readers {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #port: number
  /** How many requests got a 503. */
  refused = 0

  constructor(port: number) {
    this.#port = port
  }

  /** Milliseconds of each request that was due during the work. */
  async during(work: () => Promise<unknown>): Promise<number[]> {
    let over = false
    const end = work().finally(() => {
      over = true
    })
    const times: Promise<number>[] = []
    const began = performance.now()
    for (let i = 0; !over; i++) {
      const due = began + (i / PER_SECOND) * 1000
      if (due > performance.now()) await delay(due - performance.now())
      times.push(this.#ask(PATHS[i % PATHS.length] ?? '/').then(() => performance.now() - due))
    }
    await end
    return Promise.all(times)
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = httpRequest({ host: '127.0.0.1', port: this.#port, path, agent: this.#agent }, (answer) => {
        if (answer.statusCode === 503) this.refused += 1
        else if (answer.statusCode !== 200) reject(new Error(`${path} was answered with ${answer.statusCode}`))
        answer.resume().once('end', resolve)
      })
      asked.once('error', reject).end()
    })
  }
}

const p99 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
