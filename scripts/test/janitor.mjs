/**
 * Gives this process its own temporary folder, and a janitor: a shell that waits until this process has ended,
 * also by SIGKILL, and then ends what it has started and removes the folder. Loaded before every test file.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Loaded again in every thread of the process.
if (isMainThread) takeOn()

function takeOn() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  // In its own session, which Ctrl+C does not reach.
  const janitor = spawn('sh', [fileURLToPath(new URL('janitor.sh', import.meta.url)), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  janitor.unref()
  janitor.stdin.unref()
  // Every process started from here inherits it and can be found by it.
  process.env.TMPDIR = folder
  // Forks of this process need no janitor.
  process.execArgv = process.execArgv.filter((arg, n, all) => !isThisFile(arg) && !isThisFile(all[n + 1]))
  // A killed `tap` leaves its test files running; the closed channel is all they notice.
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    process.channel.unref()
  }
}

function isThisFile(arg) {
  return arg?.endsWith('janitor.mjs')
}
