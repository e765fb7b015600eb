import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The folders in use by this process. */
const folders = new Set<string>()

/** A folder for the duration of `work`. It is removed afterwards, also when the process is interrupted or exits early. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  // In one turn, so that no signal comes between creating and registering it.
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  if (folders.size === 0) addSignalHandlers()
  folders.add(folder)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    folders.delete(folder)
    if (folders.size === 0) removeSignalHandlers()
  }
}

function addSignalHandlers(): void {
  process.on('exit', removeAll)
  for (const name of SIGNALS) process.on(name, exitBySignal)
}

function removeSignalHandlers(): void {
  process.off('exit', removeAll)
  for (const name of SIGNALS) process.off(name, exitBySignal)
}

/** Synchronously: on exit there is no later turn. */
function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Ends the process as the signal would have, so that the parent process can tell. */
function exitBySignal(signal: NodeJS.Signals): void {
  removeAll()
  removeSignalHandlers()
  process.kill(process.pid, signal)
  // The signal alone does not end the first process of a container.
  process.exit(128 + constants.signals[signal])
}
