import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exitCodeOf, STOP_SIGNALS } from './signals.js'

/**
 * Creates a folder and its parents, unless they exist, for this user only: what is kept in them is about people. Node's `recursive` never ends where the system refuses folders with
 * ENOENT, as below /proc.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent)
    makeFolder(path)
  }
}

/** The temporary folders in use by this process. */
const folders = new Set<string>()

/** A folder for the time of the work. It is removed afterwards, also if the process is interrupted or exits. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  // Before the folder exists: a signal in between would leave it behind.
  if (folders.size === 0) setExitHandlers('on')
  let folder: string | null = null
  try {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    folders.add(folder)
    return await work(folder)
  } finally {
    if (folder !== null) {
      await rm(folder, { recursive: true, force: true })
      folders.delete(folder)
    }
    if (folders.size === 0) setExitHandlers('off')
  }
}

function setExitHandlers(change: 'on' | 'off'): void {
  process[change]('exit', removeAll)
  for (const name of STOP_SIGNALS) process[change](name, exitBySignal)
}

/** Synchronous: after `exit` nothing else runs. */
function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Ends the process as the signal would have, so that its parent can tell. */
function exitBySignal(signal: NodeJS.Signals): void {
  removeAll()
  setExitHandlers('off')
  process.kill(process.pid, signal)
  // The signal alone does not end the first process of a container.
  process.exit(exitCodeOf(signal))
}
