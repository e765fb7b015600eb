import { Worker } from 'node:worker_threads'
import type { Config } from './config.js'
import type { BringUp, BringUpJob, Reached } from './projector/bring-up.js'
import { NewPoisonError } from './projector/new-poison.js'
import { ForeignLogError } from './projector/own-log.js'
import type { Poison } from './projector/requests.js'

export interface Given {
  config: Config
  job: BringUpJob
}

/** What the thread tells. An error loses its class on the way between threads, so the expected ones are told. */
export type Told = { reached: Reached } | { ended: true } | { poison: Poison[] } | { foreign: string }

/** A third of a processor's time where others want it all: less, and a rebuild on a busy machine would hardly move. */
export const STEP_BACK = 5

const MEMORY = { maxOldGenerationSizeMb: 320 }

/**
 * A generation is brought up beside the live one in a thread of its own: building an index of millions of entries blocks
 * SQLite's thread for seconds, and live events must not wait for it.
 */
export const bringUpInThread =
  (config: Config): BringUp =>
  (job, signal, report) =>
    new Promise((resolve, reject) => {
      const given: Given = { config, job }
      const worker = new Worker(new URL('./bring-up-thread.js', import.meta.url), { workerData: given, resourceLimits: MEMORY })
      const stop = () => worker.postMessage('stop')
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      let failure: Error | null = new Error('the thread ended before its work')
      worker.on('message', (told: Told) => {
        if ('reached' in told) report(told.reached)
        else if ('poison' in told) failure = new NewPoisonError(told.poison)
        else if ('foreign' in told) failure = new ForeignLogError(told.foreign)
        else failure = null
      })
      worker.on('error', (error) => {
        failure = error instanceof Error ? error : new Error(String(error))
      })
      worker.once('exit', () => {
        signal.removeEventListener('abort', stop)
        if (failure === null) resolve()
        else reject(failure)
      })
    })
