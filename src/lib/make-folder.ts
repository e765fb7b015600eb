import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those it lies in, unless they are there. Not by Node's own `recursive`: where the system takes no
 * folder and says of it that there is none, as below /proc, that tries for ever.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent)
    makeFolder(path)
  }
}
