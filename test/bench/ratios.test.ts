/**
 * A guard against losing speed without noticing: ratios to a reference measured in the same process, compared with those
 * that were kept. Generous, since it must only ever fail for something that makes a part several times slower.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { benchGuard } from '../../bench/guard.js'
import type { Figure } from '../../bench/table.js'

/** Runs on busy machines differ by less than half of this. */
const TIMES = 3

const kept = JSON.parse(readFileSync('bench/results/guard.json', 'utf8')) as { figures: Figure[] }

await t.test('nothing has become several times slower', async (t) => {
  const figures = await benchGuard()
  t.strictSame(
    figures.map(({ name }) => name),
    kept.figures.map(({ name }) => name),
  )
  for (const [i, { name, value }] of figures.entries()) {
    const before = kept.figures[i]?.value ?? 0
    t.ok(value <= TIMES * before, `${name}: ${value.toFixed(2)}, kept ${before.toFixed(2)} (npm run bench -- --only guard --save guard)`)
  }
})
