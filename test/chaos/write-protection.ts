import { execFileSync } from 'node:child_process'
import { accessSync, chmodSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a folder and its files read-only, and gives how to undo it. */
type Protect = (folder: string) => () => void

/** What keeps this user from writing there; null where nothing does. Permissions do not hold the superuser, a flag of the file does. */
export function writeProtection(where: string): Protect | null {
  return [byMode, byFlag].find((protect) => works(protect, where)) ?? null
}

function works(protect: Protect, where: string): boolean {
  const folder = mkdtempSync(join(where, 'protected-'))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  try {
    const release = protect(folder)
    try {
      closeSync(openSync(file, 'r+'))
      return false
    } catch {
      return true
    } finally {
      release()
    }
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const WRITABLE = 0o222

const byMode: Protect = (folder) => {
  const modes = inside(folder).map((path) => [path, statSync(path).mode] as const)
  for (const [path, mode] of modes) chmodSync(path, mode & ~WRITABLE)
  return () => {
    for (const [path, mode] of modes) if (exists(path)) chmodSync(path, mode)
  }
}

const byFlag: Protect = (folder) => {
  const paths = inside(folder)
  execFileSync('chattr', ['+i', ...paths], { stdio: 'ignore' })
  return () => void execFileSync('chattr', ['-i', ...paths.filter(exists)], { stdio: 'ignore' })
}

/** The folder last: what is in it cannot be taken away once it is protected. */
const inside = (folder: string): string[] => [...readdirSync(folder).map((name) => join(folder, name)), folder]

function exists(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}
