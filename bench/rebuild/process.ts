/** The process whose speed and memory a rebuild's figures are about, and those of what it is compared with. */
import { feed } from '../../projections/feed/index.js'
import { bringUpInThread } from '../../src/bring-up-in-thread.js'
import { leaveAProcessor } from '../../src/collector-threads.js'
import type { Config } from '../../src/config.js'
import { readConfig } from '../../src/config.js'
import { DEAD_LETTERS } from '../../src/projector/dead-letters.js'
import { openDocuments } from '../../src/stores.js'
import { type Spent, spentOn } from '../spent.js'
import { readBare } from './bare-read.js'
import { writeBare } from './bare-write.js'

export interface Task {
  step: 'rebuild' | 'read' | 'write'
  environment: Record<string, string>
  /** The process id of the MongoDB server, whose work counts, too. */
  server: number | null
}

export interface Measured extends Spent {
  peakRssMb: number
  /** Events or documents. */
  count: number
}

const COLLECTIONS = [...feed.collections, ...DEAD_LETTERS]

const { step, environment, server } = JSON.parse(process.argv[2] ?? '') as Task
const config = readConfig({ ...environment, LOG_LEVEL: 'warn' })
const { count, ...spent } = await { rebuild, read, write }[step](config)
// Linux reports kilobytes.
const measured: Measured = { ...spent, count, peakRssMb: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(JSON.stringify(measured))

/** As the service does it: in a thread of its own, and readers are moved over at the end. */
async function rebuild(config: Config): Promise<Spent & { count: number }> {
  leaveAProcessor(config.MONGODB_URL !== undefined)
  const store = await openDocuments(config)
  let count = 0
  const spent = await spentOn(async () => {
    const generation = await store.createGeneration(feed.name, feed.version, COLLECTIONS)
    const job = { projection: feed.name, generation, epoch: 1, maxRate: null, strictBeside: null }
    await bringUpInThread(config)(job, new AbortController().signal, ({ position }) => {
      count = position
    })
    await store.promote(generation)
  }, server)
  await store.close()
  return { ...spent, count }
}

async function read(config: Config) {
  let count = 0
  const spent = await spentOn(() => {
    count = readBare(config.DATA_DIR)
  }, null)
  return { ...spent, count }
}

async function write(config: Config) {
  const store = await openDocuments(config)
  const live = (await store.generations(feed.name)).find(({ state }) => state === 'live')
  if (live === undefined) throw new Error('nothing has been rebuilt yet')
  const opened = await store.openGeneration(live, COLLECTIONS)
  const written = await writeBare(config, opened, COLLECTIONS, server)
  await opened.close()
  await store.close()
  return written
}
