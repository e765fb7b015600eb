/** A small part of the hour that `npm run chaos -- --soak 60` takes: the runner ends a file after five minutes. */
import { inspect } from 'node:util'
import t from 'tap'
import { isFlat, soak } from './soak.js'

t.test('the memory of a process at work is flat in the second half', async (t) => {
  const grown = await soak(4, (sample) => t.comment(inspect(sample, { breakLength: 200 })))
  t.ok(isFlat(grown), inspect(grown))
})
