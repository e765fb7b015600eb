import { demoLog } from '../../demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { withFolder, writeLog } from '../workspace.js'

/** Works in a folder with a log of the demo's first so many events. */
export function withDemoLog<T>(events: number, work: (folder: string) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    console.error(`writing a log of ${events} events …`)
    await writeLog(folder, firstEvents(events))
    return work(folder)
  })
}

/** There are over fifteen to a creation, and more in a larger community. */
export function* firstEvents(events: number): Generator<NewRecord, void> {
  const creations = Math.ceil(events / 15)
  let left = events
  for (const record of demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })) {
    if (left-- === 0) return
    yield record
  }
  throw new Error(`the demo has only ${events - left} events`)
}
