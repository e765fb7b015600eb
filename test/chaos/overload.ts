/** Five times as many requests as a process can answer: how long those wait that it lets in, and how soon the others hear no. */
import { demoLog } from '../../src/demo/index.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving } from '../serving/program.js'
import { percentile, type Reply, rush } from './crowd.js'
import { Endings } from './site.js'

export interface Overloaded {
  capacityPerSecond: number
  /** At half of what it can take. */
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
  /** From the end of the rush until a second without a refusal, as quick as before. */
  recoveredAfterS: number
}

const TIMES = 5
const SECONDS = 10
const STARTED_AT = Date.now()

export async function overload(): Promise<Overloaded> {
  const endings = new Endings()
  try {
    const folder = await DataFolder.open(endings)
    await folder.append(demoLog({ creators: 100, creations: 800, seed: 1, webUrl: 'http://localhost' }))
    await folder.project()
    const serving = await Serving.start(endings, folder.path)
    await serving.ready()
    const { api: port } = serving
    // Each asks for something else, so that each is work.
    let asked = STARTED_AT
    const path = () => `/public/share/community?q=garden%20${(asked++).toString(36)}&limit=24`
    const measured = (perSecond: number, seconds: number) => rush({ port, perSecond, seconds, path })

    await saturated(port, path, 2)
    const capacity = await saturated(port, path, 4)
    const normal = (await measured(capacity / 2, 5)).replies.map(({ ms }) => ms)
    const { replies, unsent } = await measured(capacity * TIMES, SECONDS)
    const recoveredAfterS = await recovery(() => measured(capacity / 2, 1), percentile(normal, 0.99))
    const accepted = times(replies, 200)
    const shed = times(replies, 503)
    return {
      capacityPerSecond: Math.round(capacity),
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
    await endings.run()
  }
}

const times = (replies: readonly Reply[], wanted: number): number[] => replies.filter(({ status }) => status === wanted).map(({ ms }) => ms)

/** Answers per second when a few ask again as soon as they have their answer. */
async function saturated(port: number, path: () => string, seconds: number): Promise<number> {
  let answers = 0
  const until = performance.now() + seconds * 1000
  const client = async () => {
    while (performance.now() < until) {
      await (await fetch(`http://127.0.0.1:${port}${path()}`)).arrayBuffer()
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  return answers / seconds
}

async function recovery(again: () => Promise<{ replies: Reply[] }>, normalMs: number): Promise<number> {
  const began = performance.now()
  for (let tries = 0; tries < 60; tries++) {
    const { replies } = await again()
    const isAsBefore = replies.every(({ status }) => status === 200) && percentile(times(replies, 200), 0.99) <= 3 * normalMs
    if (isAsBefore) return Math.round((performance.now() - began) / 1000)
  }
  return Number.POSITIVE_INFINITY
}
