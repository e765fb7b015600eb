import fc from 'fast-check'
import type { Test } from 'tap'
import { thorough } from './tier.js'

/** More runs, for example overnight: `PROPERTY_RUNS=5000 npm run test:slow`. */
const RUNS = process.env.PROPERTY_RUNS

/** A test for a property, with a fifth of the runs in `npm test`. On failure it prints the seed, the smallest example and its error. */
export async function holds<T>(
  t: Test,
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  numRuns = 250,
  limitMs = 60_000,
): Promise<void> {
  await t.test(name, () =>
    fc.assert(fc.asyncProperty(arbitrary, check), {
      numRuns: RUNS === undefined ? Math.ceil(thorough ? numRuns : numRuns / 5) : Number(RUNS),
      includeErrorInReport: true,
      // Shrinking may take for ever, so it stops with the smallest example found by then.
      ...(RUNS === undefined ? { interruptAfterTimeLimit: limitMs } : {}),
    }),
  )
}
