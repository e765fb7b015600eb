import { setTimeout as delay } from 'node:timers/promises'
import { demoLog } from '../demo/index.js'
import { readConfig } from '../src/compose/config.js'
import { createLogger } from '../src/compose/logger.js'
import { startProjectorThread } from '../src/compose/projector/projector.js'
import { openDocuments, openLog } from '../src/compose/stores.js'
import type { DocumentStore } from '../src/ports/document-store.js'
import type { NewRecord } from '../src/ports/event-log.js'
import { startMongo } from '../test/servers/mongo.js'
import { startNats } from '../test/servers/nats.js'
import { MODEL_NAMES } from '../test/support/built-in-models.js'
import { cpuMs } from './cpu.js'
import type { Figure } from './figures.js'
import { logPublisher, natsPublisher } from './publisher.js'
import type { StoreName } from './servers.js'
import { allLoaded, inChunks, withFolder } from './workspace.js'

/** Publications a second, of several events each: the most one process can publish. */
const PUBLICATIONS = 100
/** A service that has just started still compiles itself. */
const WARM_UP_SECONDS = 20
const SECONDS = 20
const GOAL_MS = 100
/** From so many events a second on the goals are those of a larger service, in ms by store. */
const MANY = 1000
const GOALS_AT_MANY_MS = { SQLite: 25, 'NATS and MongoDB': 60 }
const CHUNK = 1000

interface Where {
  name: keyof typeof GOALS_AT_MANY_MS
  environment: { DATA_DIR: string } | { NATS_URL: string; MONGODB_URL: string }
  /** Processes whose time counts beside ours, by name. */
  servers: Record<string, number | undefined>
}

/** How soon a published event can be read at steady rates. */
export async function benchLive(creations: number, rates: readonly number[], stores: readonly StoreName[]): Promise<Figure[]> {
  if (!rates.every((rate) => rate > 0 && rate % PUBLICATIONS === 0))
    throw new RangeError(`--live-rate must be multiples of ${PUBLICATIONS}, as in 500,1000`)
  const figures: Figure[] = []
  for (const rate of rates) figures.push(...(await benchRate(creations, rate, stores)))
  return figures
}

async function benchRate(creations: number, rate: number, stores: readonly StoreName[]): Promise<Figure[]> {
  const events = [...demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })]
  const live = events.splice(-rate * (WARM_UP_SECONDS + SECONDS))
  const ends: (() => Promise<void>)[] = []
  const host = { teardown: (end: () => Promise<void>) => ends.push(end), pass: () => {} }
  try {
    const figures: Figure[] = []
    if (stores.includes('sqlite')) figures.push(...(await withFolder((folder) => visible(embeddedIn(folder), events, live, rate))))
    if (!stores.includes('mongodb')) return figures
    const nats = await startNats(host)
    // As on a dedicated server: with a small cache mongod evicts pages every second or so.
    const mongo = await startMongo(host, 1, { cacheGb: null })
    if (nats === null || mongo === null) return figures
    const environment = { NATS_URL: nats.url, MONGODB_URL: mongo.url }
    const servers = { mongod: mongo.members[0]?.process.pid, 'nats-server': nats.process.pid }
    return [...figures, ...(await visible({ name: 'NATS and MongoDB', environment, servers }, events, live, rate))]
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const embeddedIn = (folder: string): Where => ({ name: 'SQLite', environment: { DATA_DIR: folder }, servers: {} })

/** From before an event is published until a reader elsewhere finds it in every model. */
async function visible({ name, environment, servers }: Where, before: NewRecord[], live: NewRecord[], rate: number): Promise<Figure[]> {
  console.error(`${name}: loading ${before.length} events, then ${live.length} at ${rate} a second …`)
  const config = readConfig({ ...environment, LOG_LEVEL: 'warn' })
  const log = await openLog(config)
  await inChunks(before, CHUNK, (chunk) => log.append(chunk))
  const documents = await openDocuments(config)
  const projector = startProjectorThread(config, createLogger(config))
  await allLoaded(documents)
  const publisher = 'NATS_URL' in environment ? await natsPublisher(environment.NATS_URL) : logPublisher(log)
  const publishedAt = new Map<number, number>()
  let took: number[] = []
  const unlisten = documents.onChange(onceAtATime(() => note(documents, publishedAt, took)))
  const size = rate / PUBLICATIONS
  const warm = rate * WARM_UP_SECONDS
  let spent: Record<string, number> = {}
  let position = (await log.bounds()).last as number
  const began = performance.now()
  for (let at = 0; at < live.length; at += size) {
    const due = began + (at / rate) * 1000
    if (due > performance.now()) await delay(due - performance.now())
    if (at === warm) {
      took = []
      spent = timesOf(servers)
    }
    // An event that could not be published in time was ready all the same.
    for (let i = 0; i < size; i++) publishedAt.set(++position, due)
    await publisher.publish(live.slice(at, at + size))
  }
  while (publishedAt.size > 0) await delay(10)
  const now = timesOf(servers)
  unlisten()
  await publisher.close()
  await projector.stop()
  await documents.close()
  await log.close()
  took.sort((a, b) => a - b)
  const what = `publish to visible at ${rate} events/s, ${name}`
  const goal = rate < MANY ? GOAL_MS : GOALS_AT_MANY_MS[name]
  const quantile = (share: number): Figure => {
    const value = took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
    return { name: `${what}, p${share * 100}`, value, unit: 'ms', goal: `< ${goal}`, met: value < goal }
  }
  return [quantile(0.5), quantile(0.99), perEvent(name, rate, spent, now, live.length - warm)]
}

async function note(documents: DocumentStore, publishedAt: Map<number, number>, took: number[]): Promise<void> {
  const snapshot = await documents.snapshot(MODEL_NAMES)
  const position = Math.min(...MODEL_NAMES.map((model) => snapshot.model(model).checkpoint.position))
  snapshot.release()
  const now = performance.now()
  for (const [published, at] of publishedAt) {
    if (published > position) break
    took.push(now - at)
    publishedAt.delete(published)
  }
}

/** Runs again for what came while it ran, and never twice at the same time. */
function onceAtATime(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  return async function run() {
    again = true
    if (running) return
    running = true
    while (again) {
      again = false
      await work()
    }
    running = false
  }
}

/** Our process also publishes and reads here, beside the projector. */
function timesOf(servers: Where['servers']): Record<string, number> {
  const processes = Object.entries({ 'this process': process.pid, ...servers })
  return Object.fromEntries(processes.flatMap(([name, pid]) => (cpuMs(pid) === null ? [] : [[name, cpuMs(pid) ?? 0]])))
}

function perEvent(where: string, rate: number, from: Record<string, number>, to: Record<string, number>, events: number): Figure {
  const parts = Object.entries(to).map(([name, ms]) => ({ name, ms: (ms - (from[name] ?? 0)) / events }))
  return {
    name: `processor time per event at ${rate} events/s, ${where}`,
    value: parts.reduce((sum, { ms }) => sum + ms, 0),
    unit: 'ms',
    reference: parts.map(({ name, ms }) => `${name} ${ms.toFixed(2)}`).join(', '),
    goal: 'reported',
    met: true,
  }
}
