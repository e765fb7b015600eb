/** Entry of the thread that copies write-ahead logs: see `copier.ts`. */
import { existsSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { openDatabase } from '../database.js'

/** What is committed during one pass is left to the next: the first may take long, the others are short. */
const PASSES = 4

parentPort?.on('message', (path: string | null) => {
  if (path === null) {
    parentPort?.close()
    return
  }
  checkpoint(path)
  parentPort?.postMessage(path)
})

function checkpoint(path: string): void {
  try {
    // Opening would create it.
    if (!existsSync(path)) return
    const db = openDatabase(path, { cacheMb: 1 })
    try {
      const pass = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw()
      for (let i = 0, before = 0; i < PASSES; i++) {
        const [, pages] = pass.get() as unknown as [busy: number, pages: number]
        // Nothing has come since the last one, or the writer has begun it anew, as it does once all of it is copied.
        if (pages <= before) return
        before = pages
      }
    } finally {
      db.close()
    }
  } catch {
    // Whatever is wrong with the file, its writer will meet it and can tell.
  }
}
