/** Loaded before the program: a file whose path ends with UNREADABLE cannot be read, as on a damaged disk. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const ending = process.env.UNREADABLE ?? ''
const read = fs.readFileSync
fs.readFileSync = ((path, ...rest) => {
  if (!String(path).endsWith(ending)) return read(path, ...rest)
  throw Object.assign(new Error(`EIO: i/o error, read '${path}'`), { code: 'EIO', syscall: 'read' })
}) as typeof read
syncBuiltinESMExports()
