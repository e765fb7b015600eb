import Database from 'libsql'
import { logPath } from '../workspace.js'

const PAGE = 2500

/** Every event of the log by the bare client, parsed. */
export function readBare(folder: string): number {
  const db = new Database(logPath(folder))
  const page = db.prepare('SELECT position, payload FROM events WHERE position > ? ORDER BY position LIMIT ?').raw()
  let count = 0
  for (let after = 0; ; ) {
    const rows = page.all(after, PAGE) as unknown as [number, string][]
    for (const [, payload] of rows) JSON.parse(payload)
    count += rows.length
    const last = rows.at(-1)
    if (last === undefined) break
    after = last[0]
  }
  db.close()
  return count
}
