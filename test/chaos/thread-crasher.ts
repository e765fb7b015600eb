/**
 * Loaded into every thread of the program. While the file exists, its projector's thread runs out of memory at an event with
 * these words; while the file holds them, it does not even start.
 */
import { existsSync, readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

export const WORDS = 'this crashes the thread'
export const FILE_VARIABLE = 'CRASH_WHILE'

const isProjector = workerData !== null && typeof workerData === 'object' && 'crash' in workerData
const file = process.env[FILE_VARIABLE]

if (isProjector && file !== undefined) {
  if (existsSync(file) && readFileSync(file, 'utf8') === WORDS) throw new RangeError('the thread is made to crash')
  const parse = JSON.parse
  JSON.parse = (text, reviver) => {
    if (String(text).includes(WORDS) && existsSync(file)) exhaust()
    return parse(text, reviver)
  }
}

/** An error of the decoder would only make a dead letter. */
function exhaust(): never {
  const kept: number[][] = []
  for (;;) kept.push(new Array(250_000).fill(0.5))
}
