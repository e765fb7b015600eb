/** Entry of the thread that copies write-ahead logs: see `WalCheckpointer`. */
import { existsSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { openDatabase } from './database.js'

/** The next pass copies what is committed during one pass. Only the first takes long. */
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
    // Opening it would create it.
    if (!existsSync(path)) return
    const db = openDatabase(path, { cacheMb: 1 })
    try {
      const pass = db.prepare<[busy: number, pages: number]>('PRAGMA wal_checkpoint(PASSIVE)')
      for (let i = 0, before = 0; i < PASSES; i++) {
        const [, pages] = pass.one()
        // No commits since the last pass, or the writer restarted the log, as it does once everything is copied.
        if (pages <= before) return
        before = pages
      }
    } finally {
      db.close()
    }
  } catch {
    // The writer meets the same error and can report it.
  }
}
