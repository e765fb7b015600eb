import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { TimeSpent } from '../cpu-time.js'
import type { Figure } from '../figures.js'
import { rebuiltIn } from '../rebuild/index.js'
import { withDemoLog } from '../rebuild/log.js'
import { installEmmett } from './emmett.js'
import type { Keeping } from './feed-in-emmett.js'

const GOAL = 20

/** How much longer the same feed takes as a projection in Emmett, from the same events to the same documents and indexes. */
export function benchEmmett(events: number): Promise<Figure[]> {
  return withDemoLog(events, async (folder) => {
    const modules = join(folder, 'emmett')
    console.error('installing Emmett …')
    try {
      installEmmett(modules)
    } catch (error) {
      console.error(`Emmett could not be installed, so nothing is compared with it: ${error}`)
      return []
    }
    const ours = await rebuiltIn(folder)
    const inStep = await inEmmett(folder, modules, 'all')
    const atEnd = await inEmmett(folder, modules, 'own')
    const over = ({ seconds, documents }: InEmmett) =>
      `${seconds.toFixed(1)} s over ${ours.seconds.toFixed(1)} s, ${documents} equal documents`
    const what = `rebuild of feed from ${ours.count} events in Emmett on SQLite, over ours`
    const ratio = inStep.seconds / ours.seconds
    return [
      { name: what, value: ratio, unit: '×', reference: over(inStep), goal: `≥ ${GOAL}`, met: ratio >= GOAL },
      {
        name: "the same with readers' indexes built by hand at its end, as ours are",
        value: atEnd.seconds / ours.seconds,
        unit: '×',
        reference: over(atEnd),
        goal: 'reported',
        met: true,
      },
    ]
  })
}

interface InEmmett extends TimeSpent {
  count: number
  documents: number
}

async function inEmmett(folder: string, modules: string, keeping: Keeping): Promise<InEmmett> {
  console.error(`the same feed in Emmett, keeping ${keeping} indexes in step …`)
  const child = spawn(process.execPath, [fileURLToPath(new URL('./emmett-process.js', import.meta.url)), folder, modules, keeping], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`the feed in Emmett ended with ${code}`)
  return JSON.parse(output) as InEmmett
}
