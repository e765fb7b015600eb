import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { connect } from 'nats'
import { type Config, readConfig } from '../src/config.js'
import { demoLog } from '../src/demo/index.js'
import type { DocumentStore } from '../src/ports/document-store.js'
import type { NewRecord } from '../src/ports/event-log.js'
import { MODELS, startProjectorThread } from '../src/projecting.js'
import { createLogger, openDocuments, openLog } from '../src/stores.js'
import { startMongo } from '../test/servers/mongo.js'
import { startNats } from '../test/servers/nats.js'
import type { Figure } from './table.js'
import { loaded, withFolder } from './workspace.js'

const RATE = 500
/** So many publications a second, of several events each: as many writers as one process can stand for. */
const PUBLICATIONS = 100
const SECONDS = 20
const GOAL_MS = 100
const RAW_BATCH = 1000

/** How soon a published event can be read at a steady rate, and how fast a projector catches up with what it has missed. */
export async function benchLive(creations: number): Promise<Figure[]> {
  const events = [...demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })]
  const live = events.splice(-RATE * SECONDS)
  const ends: (() => Promise<void>)[] = []
  const host = { teardown: (end: () => Promise<void>) => ends.push(end), pass: () => {} }
  try {
    const nats = await startNats(host)
    const mongo = await startMongo(host)
    const figures = await withFolder((folder) => visible('SQLite', { DATA_DIR: folder }, events, live))
    if (nats === null || mongo === null) return figures
    const servers = { NATS_URL: nats.url, MONGODB_URL: mongo.url }
    figures.push(...(await visible('NATS and MongoDB', servers, events, live)))
    return [...figures, ...(await caughtUpOver(servers, events.length + live.length))]
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** From before an event is published until a reader elsewhere finds it in every model. */
async function visible(where: string, environment: object, before: NewRecord[], live: NewRecord[]): Promise<Figure[]> {
  console.error(`${where}: loading ${before.length} events, then ${live.length} at ${RATE} a second …`)
  const config = readConfig({ ...environment, LOG_LEVEL: 'warn' })
  const log = await openLog(config)
  await append(before, (chunk) => log.append(chunk))
  const documents = await openDocuments(config)
  const projector = startProjectorThread(config, createLogger(config))
  await loaded(documents)
  const publishedAt = new Map<number, number>()
  const took: number[] = []
  const unlisten = documents.onChange(onceAtATime(() => note(documents, publishedAt, took)))
  const size = RATE / PUBLICATIONS
  const began = performance.now()
  let position = (await log.bounds()).last as number
  for (let at = 0; at < live.length; at += size) {
    const due = began + (at / RATE) * 1000
    if (due > performance.now()) await delay(due - performance.now())
    // An event that could not be published in time was ready all the same.
    for (let i = 0; i < size; i++) publishedAt.set(++position, due)
    await log.append(live.slice(at, at + size))
  }
  while (publishedAt.size > 0) await delay(10)
  unlisten()
  await projector.stop()
  await documents.close()
  await log.close()
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  const what = `publish to visible at ${RATE} events/s, ${where}`
  return [
    { name: `${what}, p50`, value: at(0.5), unit: 'ms', goal: `< ${GOAL_MS}`, met: at(0.5) < GOAL_MS },
    { name: `${what}, p99`, value: at(0.99), unit: 'ms', goal: `< ${GOAL_MS}`, met: at(0.99) < GOAL_MS },
  ]
}

async function note(documents: DocumentStore, publishedAt: Map<number, number>, took: number[]): Promise<void> {
  const snapshot = await documents.snapshot(MODELS)
  const position = Math.min(...MODELS.map((model) => snapshot.model(model).checkpoint.position))
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

/** A new projector builds all models from the whole log; beside it, what the servers do when nothing is thought about. */
async function caughtUpOver(servers: { NATS_URL: string; MONGODB_URL: string }, events: number): Promise<Figure[]> {
  const consumed = events / (await seconds(() => consumeRaw(servers.NATS_URL, events)))
  const fresh = servers.MONGODB_URL.replace(/\/\?/, '/again?')
  const config: Config = readConfig({ ...servers, MONGODB_URL: fresh, LOG_LEVEL: 'warn' })
  const documents = await openDocuments(config)
  const projector = startProjectorThread(config, createLogger(config))
  const took = await seconds(() => loaded(documents))
  await projector.stop()
  await documents.close()
  const raw = await writeRaw(fresh)
  const rate = events / took
  const ratio = (name: string, value: number, reference: string): Figure => ({
    name,
    value,
    unit: '',
    reference,
    goal: 'reported',
    met: true,
  })
  return [
    ratio('catch-up over raw consume, NATS and MongoDB', rate / consumed, `${Math.round(rate)} of ${Math.round(consumed)} events/s`),
    ratio(
      'catch-up over raw bulk write of its documents',
      raw.documents / took / raw.rate,
      `${Math.round(raw.documents / took)} of ${Math.round(raw.rate)} documents/s`,
    ),
  ]
}

async function consumeRaw(servers: string, events: number): Promise<void> {
  const connection = await connect({ servers })
  const consumer = await connection.jetstream().consumers.get('APP_EVENTS')
  let left = events
  for await (const message of await consumer.consume({ max_messages: RAW_BATCH })) {
    JSON.parse(message.string())
    left -= 1
    if (left === 0) break
  }
  await connection.close()
}

/** The documents of all models once more into plain collections, without index, validator or transaction. */
async function writeRaw(url: string): Promise<{ documents: number; rate: number }> {
  const client = await MongoClient.connect(url)
  const from = client.db('again')
  const to = client.db('raw')
  let documents = 0
  let spent = 0
  for (const { name } of await from.listCollections({ name: /_v\d+_g\d+_/ }, { nameOnly: true }).toArray()) {
    const all = await from.collection(name).find().toArray()
    documents += all.length
    spent += await seconds(() =>
      append(all, (chunk) => to.collection(name).insertMany(chunk, { ordered: false, writeConcern: { w: 'majority' } })),
    )
  }
  await client.close()
  return { documents, rate: documents / spent }
}

async function append<T>(all: readonly T[], write: (chunk: T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += RAW_BATCH) await write(all.slice(at, at + RAW_BATCH))
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
