import t from 'tap'
import { markingThreads } from '../../src/marking-threads.js'

const cases: [processors: number, threads: number][] = [
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 7],
  [64, 7],
]

for (const [processors, threads] of cases)
  t.test(`of ${processors} processors ${threads} may be looking for garbage`, async (t) => t.equal(markingThreads(processors), threads))
