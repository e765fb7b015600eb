/** Entry of the thread that copies write-ahead logs: see `copier.ts`. */
import { existsSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { Copied } from './copier.js'
import { openDatabase } from './database.js'

/** What is committed during one pass, which is little, is left to the next. */
const PASSES = 4

parentPort?.on('message', (path: string | null) => {
  if (path === null) {
    parentPort?.close()
    return
  }
  const copied: Copied = { path, whole: copy(path) }
  parentPort?.postMessage(copied)
})

function copy(path: string): boolean {
  try {
    // Opening would create it.
    if (!existsSync(path)) return false
    const db = openDatabase(path, { cacheMb: 1 })
    try {
      const pass = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').raw()
      for (let i = 0; i < PASSES; i++) {
        const [, pages, done] = pass.get() as unknown as [busy: number, pages: number, done: number]
        if (pages === done) return true
      }
      return false
    } finally {
      db.close()
    }
  } catch {
    // Whatever is wrong with the file, its writer will meet it and can tell.
    return false
  }
}
