/** One world, from its seed: `run.js SEED STEPS`. Prints what happened as a line of JSON, or why it must not have. */
import { inspect } from 'node:util'
import { simulate } from './simulate.js'

const [seed = 1, steps = 100_000] = process.argv.slice(2).map(Number)
try {
  console.log(JSON.stringify(await simulate(seed, steps)))
  process.exit(0)
} catch (error) {
  console.error(`seed ${seed} fails: ${inspect(error)}\nRepeat it with: npm run chaos -- --simulate --seed ${seed} --steps ${steps}`)
  process.exit(1)
}
