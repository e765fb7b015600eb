import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sum, type TimeSpent } from '../cpu-time.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import { type StoreName, withStore } from '../servers.js'
import { withDemoLog } from './log.js'
import type { Measured, Task } from './rebuild-process.js'

const GOAL = 1.6
const MEMORY_GOAL_MB = 400
/** From the smallest log to the largest: what a garbage collector does differently from run to run is within this. */
const FLAT = 1.25

/** How long a rebuild of the feed takes, over the minimum: reading the events and writing the documents. */
export function benchRebuild(events: number, stores: readonly StoreName[]): Promise<Figure[]> {
  return withDemoLog(events, async (folder) => {
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
      const by = (of: (spent: TimeSpent) => number) =>
        `${of(rebuilt).toFixed(1)} s over read ${of(read).toFixed(1)} + write ${written.count} documents ${of(written).toFixed(1)} s`
      figures.push(
        ratioAtMost(`${what}, over bare libsql log read and bare bulk write`, rebuilt.seconds / bare.seconds, GOAL, by(seconds)),
        ratioAtMost(`the same in processor time`, rebuilt.cpuSeconds / bare.cpuSeconds, GOAL, by(cpuSeconds)),
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
    await withDemoLog(events, async (folder) => {
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
    if (more.length > 0)
      figures.push(ratioAtMost(`its growth from the smallest log to the largest, ${store}`, (more.at(-1) ?? 0) / first, FLAT))
  }
  return figures
}

const seconds = (spent: TimeSpent): number => spent.seconds
const cpuSeconds = (spent: TimeSpent): number => spent.cpuSeconds

/** `null` if the server is not available. */
const onStore = <T>(store: StoreName, folder: string, work: (run: (step: Task['step']) => Promise<Measured>) => Promise<T>) =>
  withStore(store, folder, ({ environment, pid }) => work((step) => inProcess({ step, environment, server: pid })))

/** The feed, rebuilt in SQLite from the log in a folder. */
export const rebuiltIn = (folder: string): Promise<Measured> =>
  inProcess({ step: 'rebuild', environment: { DATA_DIR: folder }, server: null })

/** Asynchronous, because the output of the server must be read at the same time. */
async function inProcess(task: Task): Promise<Measured> {
  console.error(`${task.environment.MONGODB_URL === undefined ? 'sqlite' : 'mongodb'}: ${task.step} …`)
  const child = spawn(process.execPath, [fileURLToPath(new URL('./rebuild-process.js', import.meta.url)), JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${task.step} ended with ${code}`)
  return JSON.parse(output) as Measured
}
