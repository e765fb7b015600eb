import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Simulated } from './simulate.js'
import type { SimulatedJobs } from './simulate-jobs.js'

/** Simulates the engine. Rejects with what is wrong, and the seed. */
export const simulated = (seed: number, steps: number): Promise<Simulated> => inChildProcess<Simulated>('run.js', seed, steps)

/** The same for ask jobs. */
export const simulatedJobs = (seed: number, steps: number): Promise<SimulatedJobs> =>
  inChildProcess<SimulatedJobs>('run-jobs.js', seed, steps)

/** In a child process, where clocks and timers can be replaced. */
async function inChildProcess<T>(program: string, seed: number, steps: number): Promise<T> {
  const run = fileURLToPath(new URL(program, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', run, String(seed), String(steps)], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr || error.message)
  })
  return JSON.parse(stdout)
}

/** A random seed. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31)
