/** Names the custom read that holds the main thread's event loop. In a thread, because nothing else runs in the main one meanwhile. */
import { type Runtime, Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import type { OwnRead } from '../../operations/own-code.js'
import { createLogger } from '../logger.js'
import { RUNNING_OWN_READ, type WatchdogData } from './watch-own-reads.js'

const LOOK_MS = 100
/** A second, and what may lie between the last beat and the begin of the work. */
const MAX_SILENCE_MS = 1100

const { beats, config }: WatchdogData = workerData
const logger = createLogger(config)
let last = -1
let changedAt = performance.now()
let isNamed = false

setInterval(() => {
  const now = Atomics.load(beats, 0)
  if (now !== last) {
    last = now
    changedAt = performance.now()
    isNamed = false
  } else if (!isNamed && performance.now() - changedAt > MAX_SILENCE_MS) {
    isNamed = true
    nameHolder()
  }
}, LOOK_MS)

/** The inspector interrupts running JavaScript, and so finds out whose it is. It opens no port. */
function nameHolder(): void {
  const session = new Session()
  session.connectToMainThread()
  const question = { expression: `globalThis[Symbol.for('${RUNNING_OWN_READ}')]()`, returnByValue: true }
  session.post('Runtime.evaluate', question, (_error: Error | null, answer?: Runtime.EvaluateReturnType) => {
    // At once: a process that exits waits for its sessions.
    session.disconnect()
    const read: OwnRead | null | undefined = answer?.result.value
    if (read === null || read === undefined) return
    logger.error({ ...read }, 'a custom read holds the event loop for longer than a second: nothing else is answered meanwhile')
    parentPort?.postMessage(read)
  })
}
