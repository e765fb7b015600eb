import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Makes files whose path ends like this unreadable, as on a damaged disk. Returns a function that undoes it. */
export function failReading(ending: string): () => void {
  const read = fs.readFileSync
  fs.readFileSync = ((path, ...rest) => {
    if (!String(path).endsWith(ending)) return read(path, ...rest)
    throw Object.assign(new Error(`EIO: i/o error, read '${path}'`), { code: 'EIO', syscall: 'read' })
  }) as typeof read
  syncBuiltinESMExports()
  return () => {
    fs.readFileSync = read
    syncBuiltinESMExports()
  }
}

// A program that loads this module first cannot read the file named in UNREADABLE.
const { UNREADABLE } = process.env
if (UNREADABLE !== undefined) failReading(UNREADABLE)
