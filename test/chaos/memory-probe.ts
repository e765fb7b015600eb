/** Preloaded into a process: at SIGUSR2 it collects all garbage and writes what is left to the file MEMORY_PROBE. */
import { renameSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const file = process.env.MEMORY_PROBE

if (isMainThread && file !== undefined) process.on('SIGUSR2', () => void measure(file))

async function measure(path: string): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What finalizers let go of is collected the second time.
  for (let times = 0; times < 3; times++) {
    collect()
    await turn()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  writeFileSync(`${path}.part`, JSON.stringify({ retained: heapUsed + external, rss }))
  renameSync(`${path}.part`, path)
}
