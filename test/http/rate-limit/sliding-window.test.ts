import t from 'tap'
import type { Quota } from '../../../src/ports/rate-windows.js'
import { LocalRateWindows } from '../../../src/rate-limit/local-rate-windows.js'
import { keepsItsNumber } from './window-contract.js'

const MINUTE = 60_000
const NOON = 1_000_000 * MINUTE

const limitOf = (limit: number): Quota[] => [{ key: 'ada', limit }]

const spend = (windows: LocalRateWindows, count: number, at: number, limit = 120) => {
  let decision = windows.take(limitOf(limit), at, 1)
  for (let i = 1; i < count; i++) decision = windows.take(limitOf(limit), at, 1)
  return decision
}

await t.test('a process keeps its limits', (t) => keepsItsNumber(t, { processes: [new LocalRateWindows()], numRuns: 400 }))

await t.test('part of a batch was counted with its head: the wait is for the whole of it', async (t) => {
  const windows = new LocalRateWindows()
  spend(windows, 5, NOON)
  spend(windows, 110, NOON + 10_000)
  const { allowed, resetS } = windows.take(limitOf(120), NOON + 10_000, 6, 7)
  t.strictSame([allowed, resetS], [false, 50])
  t.ok(windows.take(limitOf(120), NOON + 10_000 + resetS * 1000, 7).allowed)
  t.strictSame(windows.take(limitOf(5), NOON, 10), { allowed: false, remaining: 0, resetS: 60 }, 'what never fits is told a minute')
})

await t.test('a clock that is set back locks nobody out', async (t) => {
  const windows = new LocalRateWindows()
  spend(windows, 120, NOON)
  t.equal(spend(windows, 1, NOON - 3600_000).allowed, true)
  spend(windows, 119, NOON - 3600_000)
  const soon = spend(windows, 1, NOON - 3600_000 - 5000)
  t.strictSame(soon, { allowed: false, remaining: 0, resetS: 65 }, 'a little is waited for')
})

await t.test('callers that are silent for some minutes take no memory', async (t) => {
  const windows = new LocalRateWindows()
  for (let i = 0; i < 1000; i++) windows.take([{ key: `caller ${i}`, limit: 10 }], NOON + i, 1)
  t.equal(windows.size, 1000)
  for (const minutes of [2, 4]) windows.take(limitOf(10), NOON + minutes * MINUTE, 1)
  t.equal(windows.size, 1)
})

await t.test('a caller is counted to the end of its minute, however many come meanwhile', async (t) => {
  const windows = new LocalRateWindows()
  windows.take([{ key: 'other', limit: 10 }], NOON, 1)
  spend(windows, 120, NOON + 60_999)
  for (const later of [61_000, 90_000, 120_998]) t.equal(spend(windows, 1, NOON + later).allowed, false, `${later} ms`)
  for (let i = 0; i < 300_000; i++) {
    windows.take([{ key: `caller ${i}`, limit: 10 }], NOON + 120_998, 1)
    if (i % 40_000 === 0) t.equal(spend(windows, 1, NOON + 120_998).allowed, false, 'who keeps asking is not forgotten')
  }
  t.ok(windows.size <= 100_000, `${windows.size} callers`)
  t.equal(spend(windows, 1, NOON + 120_999).allowed, true)
})
