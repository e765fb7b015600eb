/** Five times as many requests as a process can answer: how long admitted requests wait, and how soon the others get a 503. */
import { demoLog } from '../../demo/index.js'
import { DataFolder } from '../../test/harness/data-folder.js'
import { Serving } from '../../test/harness/program.js'
import type { Figure } from '../figures.js'
import { type Server, type StoreName, TeardownStack, withStore } from '../servers.js'
import { withFolder } from '../workspace.js'
import { measureThroughput, percentile, type Reply, sendAtRate } from './load-generator.js'

interface Overloaded {
  capacityPerSecond: number
  /** At half of the capacity. */
  normalP50Ms: number
  normalP99Ms: number
  acceptedP50Ms: number
  acceptedP99Ms: number
  accepted: number
  shed: number
  shedP50Ms: number
  shedP99Ms: number
  /** 503 without Retry-After, anything but 200 and 503, and broken connections. */
  wrong: number
  unsent: number
  /** From the end of the overload until a second without a 503 and as fast as before; the longest of the rounds. */
  recoveredAfterS: number
}

const TIMES = 5
const GOAL = 3
const SECONDS = 10
const TURNS = 3
/** Enough clients to keep one process busy. */
const CLIENTS = 16
const ROUNDS = 6
const STARTED_AT = Date.now()

/** The kinds of requests. Each request asks for something else, so that no answer comes from the cache. */
const REQUESTS = {
  read: (n: string) => `GET ${feed(n)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  batch: (n: string) =>
    post('/batch', { requests: ['a', 'b', 'c'].map((id) => ({ id, operation: 'get_community_feed', arguments: searched(n + id) })) }),
  question: (n: string) => post('/ask', { query: `Is there anything about ${n}?` }),
  tool: (n: string) =>
    post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_community_feed', arguments: searched(n) } }),
}
type RequestKind = keyof typeof REQUESTS
const REQUEST_KINDS = Object.keys(REQUESTS) as RequestKind[]

const searched = (n: string) => ({ q: `garden ${n}`, limit: 24 })
const feed = (n: string) => `/public/share/community?q=garden%20${n}&limit=24`

function post(path: string, content: object): string {
  const body = JSON.stringify(content)
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** How long admitted requests wait under five times the load, over how long requests wait at half of the capacity. */
export async function benchOverload(kinds: readonly string[], stores: readonly StoreName[]): Promise<Figure[]> {
  const wishes = REQUEST_KINDS.filter((kind) => kinds.includes(kind))
  if (wishes.length < kinds.length) throw new Error(`--overload-by is of ${REQUEST_KINDS.join(', ')}`)
  const figures: Figure[] = []
  for (const store of stores) {
    for (const wish of wishes) {
      console.error(`overload: by ${wish} on ${store} …`)
      const overloaded = await withFolder((folder) => withStore(store, folder, ({ environment }) => overload(environment, wish)))
      if (overloaded !== null) figures.push(figureOf(overloaded, `${wish}, ${store}`))
    }
  }
  return figures
}

function figureOf(measured: Overloaded, name: string): Figure {
  const { capacityPerSecond, normalP50Ms, normalP99Ms, acceptedP50Ms, acceptedP99Ms, accepted, shed, shedP50Ms, shedP99Ms } = measured
  const { wrong, unsent, recoveredAfterS } = measured
  const value = acceptedP99Ms / normalP99Ms
  return {
    name: `p99 of admitted requests at ${TIMES} times the capacity, ${name}`,
    value,
    unit: '×',
    reference: [
      `${acceptedP99Ms} of ${normalP99Ms} ms (p50 ${acceptedP50Ms} of ${normalP50Ms}), ${capacityPerSecond} a second`,
      `${accepted} admitted, ${shed} turned away (p50 ${shedP50Ms}, p99 ${shedP99Ms} ms), ${wrong} wrong, ${unsent} not sent`,
      `normal after ${recoveredAfterS} s`,
    ].join('; '),
    goal: `≤ ${GOAL}, none wrong`,
    met: wrong === 0 && shed > 0 && value <= GOAL,
  }
}

async function overload(environment: Server['environment'], wish: RequestKind): Promise<Overloaded> {
  const teardowns = new TeardownStack()
  try {
    const folder = await DataFolder.open(teardowns)
    await folder.append(demoLog({ creators: 100, creations: 800, seed: 1, webUrl: 'http://localhost' }))
    const unlimited = ['--rate-limit-agent', 'off', '--rate-limit-mcp', 'off']
    const serving = await Serving.start(teardowns, folder.path, unlimited, environment)
    await serving.ready()
    const port = wish === 'read' ? serving.api : serving.web
    let asked = STARTED_AT
    const request = () => REQUESTS[wish]((asked++).toString(36))
    const measured = (perSecond: number, seconds: number) => sendAtRate({ port, perSecond, seconds, request })

    const clients = { port, request, clients: CLIENTS }
    const capacity = await settled(() => measureThroughput({ ...clients, seconds: 3 }))
    const normal: number[] = []
    const replies: Reply[] = []
    let unsent = 0
    let recoveredAfterS = 0
    // In turn: a machine that others use, too, is not the same from one quarter of a minute to the next.
    for (let turn = 0; turn < TURNS; turn++) {
      normal.push(...(await measured(capacity / 2, SECONDS)).replies.map(({ ms }) => ms))
      const rushed = await measured(capacity * TIMES, SECONDS)
      replies.push(...rushed.replies)
      unsent += rushed.unsent
      recoveredAfterS = Math.max(recoveredAfterS, await recovery(() => measured(capacity / 2, 1), percentile(normal, 0.99)))
    }
    const accepted = times(replies, 200)
    const shed = times(replies, 503)
    return {
      capacityPerSecond: Math.round(capacity),
      normalP50Ms: percentile(normal, 0.5),
      normalP99Ms: percentile(normal, 0.99),
      acceptedP50Ms: percentile(accepted, 0.5),
      acceptedP99Ms: percentile(accepted, 0.99),
      accepted: accepted.length,
      shed: shed.length,
      shedP50Ms: percentile(shed, 0.5),
      shedP99Ms: percentile(shed, 0.99),
      wrong: replies.filter(({ status, retryAfter }) => !(status === 200 || (status === 503 && retryAfter))).length,
      unsent,
      recoveredAfterS,
    }
  } finally {
    await teardowns.all()
  }
}

/** A program that has just started gets faster for a while: measures again until a round is no faster than the one before. */
async function settled(round: () => Promise<number>): Promise<number> {
  let before = 0
  for (let rounds = 1; ; rounds++) {
    const now = await round()
    if (rounds === ROUNDS || now < before * 1.1) return now
    before = now
  }
}

const times = (replies: readonly Reply[], wanted: number): number[] => replies.filter(({ status }) => status === wanted).map(({ ms }) => ms)

async function recovery(again: () => Promise<{ replies: Reply[] }>, normalMs: number): Promise<number> {
  const began = performance.now()
  for (let tries = 0; tries < 60; tries++) {
    const { replies } = await again()
    const isAsBefore = replies.every(({ status }) => status === 200) && percentile(times(replies, 200), 0.99) <= 3 * normalMs
    if (isAsBefore) return Math.round((performance.now() - began) / 1000)
  }
  return Number.POSITIVE_INFINITY
}
