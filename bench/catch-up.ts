import { MongoClient } from 'mongodb'
import { connect } from 'nats'
import { type Config, readConfig } from '../src/compose/config.js'
import { createLogger } from '../src/compose/logger.js'
import { startProjectorThread } from '../src/compose/projector/projector.js'
import { openDocuments } from '../src/compose/stores.js'
import type { Figure } from './figures.js'
import { allLoaded, inChunks } from './workspace.js'

const BATCH = 1000

/** A new projector builds all models from the whole log, compared with bare inserts into the same server. */
export async function benchCatchUp(servers: { NATS_URL: string; MONGODB_URL: string }, events: number): Promise<Figure[]> {
  const consumed = events / (await seconds(() => consumeRaw(servers.NATS_URL, events)))
  const fresh = servers.MONGODB_URL.replace(/\/\?/, '/again?')
  const config: Config = readConfig({ ...servers, MONGODB_URL: fresh, LOG_LEVEL: 'warn' })
  const documents = await openDocuments(config)
  const projector = startProjectorThread(config, createLogger(config))
  const took = await seconds(() => allLoaded(documents))
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
  for await (const message of await consumer.consume({ max_messages: BATCH })) {
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
      inChunks(all, BATCH, (chunk) => to.collection(name).insertMany(chunk, { ordered: false, writeConcern: { w: 'majority' } })),
    )
  }
  await client.close()
  return { documents, rate: documents / spent }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
