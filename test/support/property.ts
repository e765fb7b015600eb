import fc from 'fast-check'
import type { Test } from 'tap'
import { thorough } from './tier.js'

/** More runs, for example overnight: `PROPERTY_RUNS=5000 npm run test:slow`. */
const RUNS = process.env.PROPERTY_RUNS

const SHRINKING_MS = 60_000

/**
 * A test for a property, with a fifth of the runs in `npm test`. All of them are run, however long they take. On failure it
 * prints the seed, the smallest example and its error.
 */
export async function holds<T>(
  t: Test,
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  fullRuns = 250,
): Promise<void> {
  const numRuns = Number(RUNS ?? Math.ceil(thorough ? fullRuns : fullRuns / 5))
  let endOfShrinking = Number.POSITIVE_INFINITY
  const checkOrShrink = async (value: T): Promise<void> => {
    // Shrinking may take for ever: as if all that is left to try did hold, it ends with the smallest example found by then.
    if (performance.now() > endOfShrinking) return
    try {
      await check(value)
    } catch (error) {
      endOfShrinking = Math.min(endOfShrinking, performance.now() + SHRINKING_MS)
      throw error
    }
  }
  await t.test(`${name} (${numRuns} runs)`, () =>
    fc.assert(fc.asyncProperty(arbitrary, checkOrShrink), { numRuns, includeErrorInReport: true }),
  )
}
