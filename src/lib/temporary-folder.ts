import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** In use by this process. */
const folders = new Set<string>()

/** A folder for work that throws it away. It is gone afterwards, also when the process is interrupted or ends on the way. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  // In one turn: no signal comes between the two.
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

/** At once: there is no later turn. */
function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Ends the process as the signal would have, so that whoever started it can tell. */
function exitBySignal(signal: NodeJS.Signals): void {
  removeAll()
  removeSignalHandlers()
  process.kill(process.pid, signal)
  // Where the signal alone does not end it, as with the first process of a container.
  process.exit(128 + constants.signals[signal])
}
