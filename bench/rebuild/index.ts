import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { demoLog } from '../../src/demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { startMongo } from '../../test/servers/mongo.js'
import { type Spent, sum } from '../spent.js'
import type { Figure } from '../table.js'
import { withFolder, writeLog } from '../workspace.js'
import type { Measured, Task } from './process.js'

const GOAL = 1.6
const MEMORY_GOAL_MB = 400
/** From the smallest log to the largest: what a garbage collector does differently from run to run is within this. */
const FLAT = 1.25

export const STORES = ['sqlite', 'mongodb'] as const
export type StoreName = (typeof STORES)[number]

/** How long a rebuild of the feed takes, over what nobody can do without: reading the events and writing the documents. */
export function benchRebuild(events: number, stores: readonly StoreName[]): Promise<Figure[]> {
  return onLogOf(events, async (folder) => {
    const figures: Figure[] = []
    for (const store of stores) {
      const measured = await onStore(store, folder, async (run) => {
        const rebuilt = await run('rebuild')
        return { rebuilt, read: await run('read'), written: await run('write') }
      })
      if (measured === null) continue
      const { rebuilt, read, written } = measured
      const bare = sum(read, written)
      const what = `rebuild of feed from ${rebuilt.count} events, ${store}`
      const by = (of: (spent: Spent) => number) =>
        `${of(rebuilt).toFixed(1)} s over read ${of(read).toFixed(1)} + write ${written.count} documents ${of(written).toFixed(1)} s`
      figures.push(
        atMost(`${what}, over bare libsql log read and bare bulk write`, rebuilt.seconds / bare.seconds, GOAL, by(seconds)),
        atMost(`the same in processor time`, rebuilt.cpuSeconds / bare.cpuSeconds, GOAL, by(cpuSeconds)),
      )
    }
    return figures
  })
}

/** How much memory a rebuild needs at several sizes of the log. */
export async function benchMemory(sizes: readonly number[], stores: readonly StoreName[]): Promise<Figure[]> {
  const peaks = new Map<StoreName, number[]>()
  const figures: Figure[] = []
  for (const events of sizes.toSorted((a, b) => a - b)) {
    await onLogOf(events, async (folder) => {
      for (const store of stores) {
        const rebuilt = await onStore(store, folder, (run) => run('rebuild'))
        if (rebuilt === null) continue
        const { peakRssMb, count } = rebuilt
        peaks.set(store, [...(peaks.get(store) ?? []), peakRssMb])
        figures.push({
          name: `peak memory of a rebuild of feed from ${count} events, ${store}`,
          value: peakRssMb,
          unit: 'MB',
          goal: `< ${MEMORY_GOAL_MB}`,
          met: peakRssMb < MEMORY_GOAL_MB,
        })
      }
    })
  }
  for (const [store, [first = 0, ...more]] of peaks) {
    if (more.length > 0) figures.push(atMost(`its growth from the smallest log to the largest, ${store}`, (more.at(-1) ?? 0) / first, FLAT))
  }
  return figures
}

const seconds = (spent: Spent): number => spent.seconds
const cpuSeconds = (spent: Spent): number => spent.cpuSeconds

const atMost = (name: string, value: number, goal: number, reference?: string): Figure => ({
  name,
  value,
  unit: '×',
  ...(reference === undefined ? {} : { reference }),
  goal: `≤ ${goal}`,
  met: value <= goal,
})

/** The demo's first so many events. There are over fifteen to a creation, and more in a larger community. */
function* firstEvents(events: number): Iterable<NewRecord> {
  const creations = Math.ceil(events / 15)
  let left = events
  for (const record of demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })) {
    if (left-- === 0) return
    yield record
  }
  throw new Error(`the demo has only ${events - left} events`)
}

function onLogOf<T>(events: number, work: (folder: string) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    console.error(`writing a log of ${events} events …`)
    await writeLog(folder, firstEvents(events))
    return work(folder)
  })
}

/** `null` where the server cannot be had. */
async function onStore<T>(
  store: StoreName,
  folder: string,
  work: (run: (step: Task['step']) => Promise<Measured>) => Promise<T>,
): Promise<T | null> {
  if (store === 'sqlite') return work((step) => inProcess({ step, environment: { DATA_DIR: folder }, server: null }))
  const ends: (() => Promise<void>)[] = []
  try {
    const mongo = await startMongo({ teardown: (end: () => Promise<void>) => ends.push(end), pass: () => {} })
    const [member] = mongo?.members ?? []
    if (mongo === null || member === undefined) return null
    const environment = { DATA_DIR: folder, MONGODB_URL: mongo.url }
    return await work((step) => inProcess({ step, environment, server: member.process.pid ?? null }))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Not waiting in a blocking way: somebody has to read what the server prints. */
async function inProcess(task: Task): Promise<Measured> {
  console.error(`${task.environment.MONGODB_URL === undefined ? 'sqlite' : 'mongodb'}: ${task.step} …`)
  const child = spawn(process.execPath, [fileURLToPath(new URL('./process.js', import.meta.url)), JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${task.step} ended with ${code}`)
  return JSON.parse(output) as Measured
}
