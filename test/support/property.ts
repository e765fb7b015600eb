import fc from 'fast-check'
import type { Test } from 'tap'

/** More of them for a night: `PROPERTY_RUNS=5000 npm test`. */
const RUNS = process.env.PROPERTY_RUNS

/** A test of its own for a property. On failure it prints the seed, the smallest example and what went wrong with it. */
export async function holds<T>(
  t: Test,
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  numRuns = 250,
): Promise<void> {
  await t.test(name, { timeout: 0 }, () =>
    fc.assert(fc.asyncProperty(arbitrary, check), {
      numRuns: RUNS === undefined ? numRuns : Number(RUNS),
      includeErrorInReport: true,
      // Looking for a smaller example may take for ever; the smallest one by then has to do.
      ...(RUNS === undefined ? { interruptAfterTimeLimit: 60_000 } : {}),
    }),
  )
}
