import { join } from 'node:path'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import type { DataFolder } from './data-folder.js'

interface Held {
  projection: string
  /** The process that leads. */
  pid: number
  /** How long it leads without renewing. */
  leftMs: number
}

/** Who leads what in a folder right now. */
export function leasesIn(folder: DataFolder): Held[] {
  const control = openDatabase(join(folder.path, 'models', 'control.db'))
  try {
    const rows = control.prepare<[string, string, number]>("SELECT projection, holder, expires_at - unixepoch('subsec') * 1000 FROM leases")
    return rows.all().map(([projection, holder, leftMs]) => ({
      projection,
      pid: Number(holder.split('/')[1]),
      leftMs,
    }))
  } finally {
    control.close()
  }
}

export const longestLease = (folder: DataFolder): number => Math.max(...leasesIn(folder).map(({ leftMs }) => leftMs))
