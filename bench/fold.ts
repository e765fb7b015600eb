import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { demoLog } from '../demo/index.js'
import type { Figure } from './figures.js'
import { profiling } from './profiling.js'
import { withFolder, writeLog } from './workspace.js'

/** The demo log, about twenty events a creation, folded into all models by a separate process. */
export function benchFold(creations: number): Promise<Figure[]> {
  return withFolder(async (folder) => {
    console.error(`writing a log of ${creations} creations …`)
    const events = await writeLog(
      folder,
      demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' }),
    )
    console.error(`folding ${events} events …`)
    const args = [...profiling(), fileURLToPath(new URL('./fold-process.js', import.meta.url)), folder]
    const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
    const { seconds, peakRssMb } = JSON.parse(child.stdout) as { seconds: number; peakRssMb: number }
    const rate = events / seconds
    return [
      { name: `folding ${events} events into all models, SQLite`, value: rate, unit: 'events/s', goal: '≥ 25,000', met: rate >= 25_000 },
      { name: 'peak memory of that', value: peakRssMb, unit: 'MB', goal: '< 400', met: peakRssMb < 400 },
    ]
  })
}
