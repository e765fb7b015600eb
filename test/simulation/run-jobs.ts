/** Ask jobs in one world, from its seed: `run-jobs.js SEED STEPS`. Prints what happened as a line of JSON, or why it must not have. */
import { inspect } from 'node:util'
import { simulateJobs } from './simulate-jobs.js'

const [seed = 1, steps = 20_000] = process.argv.slice(2).map(Number)
try {
  console.log(JSON.stringify(await simulateJobs(seed, steps)))
  process.exit(0)
} catch (error) {
  console.error(`seed ${seed} fails: ${inspect(error)}\nRepeat it with: npm run chaos -- --simulate --jobs --seed ${seed} --steps ${steps}`)
  process.exit(1)
}
