import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ForeignLogError } from '../../engine/fold/log-identity.js'
import type { BuildGeneration, BuildJob, BuildProgress } from '../../engine/generations/build-generation.js'
import { NewPoisonError, type PoisonEvent } from '../../engine/generations/switch-over.js'
import type { Config } from '../config.js'
import { backgroundProcessFlags } from '../gc-flags.js'

export interface BuildTask {
  config: Config
  job: BuildJob
}

/** Resources that the process has used, at its end. */
export type ProcessUsage = NodeJS.ResourceUsage

/** Messages of the process. An error loses its class on the way, so each expected one has its key. */
export type BuildMessage =
  | { reached: BuildProgress }
  | { ended: ProcessUsage }
  | { poison: PoisonEvent[] }
  | { foreign: string }
  | { failed: Error }

/** A third of a processor on a busy machine. With less, a rebuild would hardly progress. */
export const BACKGROUND_NICENESS = 5

const HEAP_MB = 320
const ENTRY = fileURLToPath(new URL('./generation-builder-process.js', import.meta.url))

/**
 * Builds a generation beside the live one, in a separate process. Building an index of millions of entries blocks
 * SQLite's thread for seconds, and live events must not wait for it. A thread would not do: readers wait longer for a busy
 * thread of their process than for another process, since threads share its memory map.
 */
export const buildInProcess =
  (config: Config, whenUsed: (used: ProcessUsage) => void = () => {}): BuildGeneration =>
  (job, signal, report) =>
    new Promise((resolve, reject) => {
      const child = fork(ENTRY, [], {
        execArgv: [...inheritedNodeFlags(), `--max-old-space-size=${HEAP_MB}`, ...backgroundProcessFlags(availableParallelism())],
        // Keeps what JSON would lose. Standard output belongs to the command.
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      // The process may have ended, or not started: both are handled below.
      const send = (message: BuildTask | 'stop') => child.connected && child.send(message, () => {})
      const stop = () => send('stop')
      let failure: Error | null = null
      let hasEnded = false
      child.on('message', (message: BuildMessage) => {
        if ('reached' in message) report(message.reached)
        else if ('poison' in message) failure = new NewPoisonError(message.poison)
        else if ('foreign' in message) failure = new ForeignLogError(message.foreign)
        else if ('failed' in message) failure = message.failed
        else {
          hasEnded = true
          whenUsed(message.ended)
        }
      })
      child.once('error', reject)
      // `close` comes after all messages.
      child.once('close', (code, killedBy) => {
        signal.removeEventListener('abort', stop)
        if (hasEnded) resolve()
        else reject(failure ?? new Error(`the process that fills the generation ended before its work, with ${killedBy ?? code}`))
      })
      send({ config, job })
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    })

/** Flags such as trusted certificates are for both processes; the debugger's port is not. */
const inheritedNodeFlags = (): string[] => process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
