import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Simulated } from './simulate.js'

const RUN = fileURLToPath(new URL('run.js', import.meta.url))

/** Simulates in a process of its own, where time can be taken over. Rejects with what that says is wrong, and its seed. */
export async function simulated(seed: number, steps: number): Promise<Simulated> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', RUN, String(seed), String(steps)], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr || error.message)
  })
  return JSON.parse(stdout)
}

/** A seed that nobody has chosen. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31)
