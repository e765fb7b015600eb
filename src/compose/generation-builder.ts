import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ForeignLogError } from '../engine/fold/log-identity.js'
import type { BuildGeneration, BuildJob, BuildProgress } from '../engine/generations/build-generation.js'
import { NewPoisonError, type PoisonedAggregate } from '../engine/generations/new-poison.js'
import type { Config } from './config.js'
import { backgroundProcessFlags } from './gc-flags.js'

export interface BuildTask {
  config: Config
  job: BuildJob
}

/** What that process has used, by the end of its work. */
export type ProcessUsage = NodeJS.ResourceUsage

/** What the process tells. An error loses its class on the way, so the expected ones are told apart. */
export type BuildMessage =
  | { reached: BuildProgress }
  | { ended: ProcessUsage }
  | { poison: PoisonedAggregate[] }
  | { foreign: string }
  | { failed: Error }

/** A third of a processor's time where others want it all: less, and a rebuild on a busy machine would hardly move. */
export const BACKGROUND_NICENESS = 5

const HEAP_MB = 320
const ENTRY = fileURLToPath(new URL('./generation-builder-process.js', import.meta.url))

/**
 * A generation is brought up beside the live one in a process of its own. Building an index of millions of entries blocks
 * SQLite's thread for seconds, and live events must not wait for it; and readers wait longer beside a busy thread of their own
 * process than beside another process, since threads share its memory map.
 */
export const buildInProcess =
  (config: Config, whenUsed: (used: ProcessUsage) => void = () => {}): BuildGeneration =>
  (job, signal, report) =>
    new Promise((resolve, reject) => {
      const child = fork(ENTRY, [], {
        execArgv: [...inheritedNodeFlags(), `--max-old-space-size=${HEAP_MB}`, ...backgroundProcessFlags(availableParallelism())],
        // Keeps what JSON would lose; and standard output is for what a command answers.
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      // Nobody may be there any more to hear it, or none could be begun: both are told below.
      const tell = (message: BuildTask | 'stop') => child.connected && child.send(message, () => {})
      const stop = () => tell('stop')
      let failure: Error | null = null
      let hasEnded = false
      child.on('message', (told: BuildMessage) => {
        if ('reached' in told) report(told.reached)
        else if ('poison' in told) failure = new NewPoisonError(told.poison)
        else if ('foreign' in told) failure = new ForeignLogError(told.foreign)
        else if ('failed' in told) failure = told.failed
        else {
          hasEnded = true
          whenUsed(told.ended)
        }
      })
      child.once('error', reject)
      // Once all that it has told is here.
      child.once('close', (code, killedBy) => {
        signal.removeEventListener('abort', stop)
        if (hasEnded) resolve()
        else reject(failure ?? new Error(`the process that fills the generation ended before its work, with ${killedBy ?? code}`))
      })
      tell({ config, job })
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    })

/** Whose certificates are trusted, say, is for both to know; a debugger listens to one of them. */
const inheritedNodeFlags = (): string[] => process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
