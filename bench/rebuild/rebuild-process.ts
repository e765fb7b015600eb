/** The measured process of a rebuild or of its comparison. A rebuild starts a second process, which counts, too. */
import { feedProjection } from '../../projections/feed/index.js'
import type { Config } from '../../src/compose/config.js'
import { readConfig } from '../../src/compose/config.js'
import { buildInProcess, type ProcessUsage } from '../../src/compose/projector/generation-builder.js'
import { openDocuments } from '../../src/compose/stores.js'
import { DEAD_LETTER_COLLECTIONS } from '../../src/engine/definition/dead-letter-collections.js'
import { measureTime, type TimeSpent } from '../cpu-time.js'
import { readBare } from './bare-read.js'
import { writeBare } from './bare-write.js'

export interface Task {
  step: 'rebuild' | 'read' | 'write'
  environment: Record<string, string>
  /** The process id of the MongoDB server, whose work counts, too. */
  server: number | null
}

export interface Measured extends TimeSpent {
  peakRssMb: number
  /** Events or documents. */
  count: number
}

interface Done extends TimeSpent {
  count: number
  /** The peak of the process that has filled the generation. */
  besideKb?: number
}

const COLLECTIONS = [...feedProjection.collections, ...DEAD_LETTER_COLLECTIONS]

const { step, environment, server } = JSON.parse(process.argv[2] ?? '') as Task
const config = readConfig({ ...environment, LOG_LEVEL: 'warn' })
const { besideKb = 0, ...done } = await { rebuild, read, write }[step](config)
// Linux reports kilobytes.
const measured: Measured = { ...done, peakRssMb: (process.resourceUsage().maxRSS + besideKb) / 1024 }
process.stdout.write(JSON.stringify(measured))

/** As the service does it: in a separate process, with a switch-over at the end. */
async function rebuild(config: Config): Promise<Done> {
  const store = await openDocuments(config)
  let count = 0
  const usages: ProcessUsage[] = []
  const spent = await measureTime(async () => {
    const generation = await store.createGeneration(feedProjection.name, feedProjection.version, COLLECTIONS)
    const job = { projection: feedProjection.name, generation, epoch: 1, maxRate: null, replaces: null }
    const bringUp = buildInProcess(config, (used) => usages.push(used))
    await bringUp(job, new AbortController().signal, ({ position }) => {
      count = position
    })
    await store.promote(generation)
  }, server)
  await store.close()
  const [used] = usages
  if (used === undefined) throw new Error('the process that fills the generation has not told what it used')
  return { ...spent, cpuSeconds: spent.cpuSeconds + (used.userCPUTime + used.systemCPUTime) / 1e6, count, besideKb: used.maxRSS }
}

async function read(config: Config): Promise<Done> {
  let count = 0
  const spent = await measureTime(() => {
    count = readBare(config.DATA_DIR)
  }, null)
  return { ...spent, count }
}

async function write(config: Config): Promise<Done> {
  const store = await openDocuments(config)
  const live = (await store.generations(feedProjection.name)).find(({ state }) => state === 'live')
  if (live === undefined) throw new Error('nothing has been rebuilt yet')
  const opened = await store.openGeneration(live, COLLECTIONS)
  const written = await writeBare(config, opened, COLLECTIONS, server)
  await opened.close()
  await store.close()
  return written
}
