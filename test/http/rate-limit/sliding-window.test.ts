import fc from 'fast-check'
import t from 'tap'
import { countRequest, type Window } from '../../../src/lib/sliding-window.js'

const MINUTE = 60_000
/** The beginning of a window. */
const NOON = 1_000_000 * MINUTE

const spend = (window: Window | undefined, count: number, at: number, limit = 120) => {
  let verdict = countRequest(window, at, limit, MINUTE)
  for (let i = 1; i < count; i++) verdict = countRequest(verdict.window, at, limit, MINUTE)
  return verdict
}

await t.test('exactly the limit passes', async (t) => {
  t.match(spend(undefined, 1, NOON), { allowed: true, remaining: 119 })
  t.match(spend(undefined, 120, NOON), { allowed: true, remaining: 0 })
  t.match(spend(undefined, 121, NOON), { allowed: false, remaining: 0 })
})

await t.test('a refused request costs nothing', async (t) => {
  const once = spend(undefined, 121, NOON)
  t.strictSame(spend(once.window, 500, NOON).window, once.window)
})

await t.test('the window slides: what was spent comes back bit by bit', async (t) => {
  const { window } = spend(undefined, 120, NOON + 30_000)
  t.equal(countRequest(window, NOON + 59_999, 120, MINUTE).allowed, false, 'not before the minute is over')
  t.equal(countRequest(window, NOON + MINUTE, 120, MINUTE).allowed, false, 'nor all at once when it turns')
  const later = spend(window, 60, NOON + 1.5 * MINUTE)
  t.match(later, { allowed: true, remaining: 0 }, 'half of it after half a window')
  t.equal(countRequest(later.window, NOON + 1.5 * MINUTE, 120, MINUTE).allowed, false)
  t.match(countRequest(window, NOON + 3 * MINUTE, 120, MINUTE), { allowed: true, remaining: 119 }, 'and all of it after two')
})

await t.test('a request may cost more than one', async (t) => {
  t.match(countRequest(undefined, NOON, 120, MINUTE, 10), { allowed: true, remaining: 110 })
  t.match(countRequest(undefined, NOON, 5, MINUTE, 10), { allowed: false, remaining: 5 })
})

const visits = fc.record({
  limit: fc.integer({ min: 1, max: 130 }),
  start: fc.integer({ min: 0, max: 10 * MINUTE }),
  gaps: fc.array(fc.nat(2500), { minLength: 1, maxLength: 300 }),
})

await t.test('a request passes after the announced wait', async (t) => {
  fc.assert(
    fc.property(visits, ({ limit, start, gaps }) => {
      let window: Window | undefined
      let now = start
      for (const gap of gaps) {
        now += gap
        const verdict = countRequest(window, now, limit, MINUTE)
        window = verdict.window
        if (verdict.allowed) continue
        if (!Number.isInteger(verdict.resetS) || verdict.resetS < 1 || verdict.resetS > 120) return false
        if (!countRequest(window, now + verdict.resetS * 1000, limit, MINUTE).allowed) return false
      }
      return true
    }),
  )
  t.pass('for any traffic')
})

await t.test('a request passes after the wait that the last allowed answer announced', async (t) => {
  const phases = fc.record({
    limit: fc.integer({ min: 1, max: 130 }),
    previous: fc.nat(130),
    current: fc.nat(130),
    at: fc.nat(MINUTE - 1),
    cost: fc.integer({ min: 1, max: 10 }),
  })
  fc.assert(
    fc.property(phases, ({ limit, previous, current, at, cost }) => {
      const window = { number: NOON / MINUTE, previous: Math.min(previous, limit), current: Math.min(current, limit) }
      let verdict = countRequest(window, NOON + at, limit, MINUTE, cost)
      if (!verdict.allowed && cost <= limit)
        return countRequest(verdict.window, NOON + at + verdict.resetS * 1000, limit, MINUTE, cost).allowed
      while (verdict.allowed && verdict.remaining > 0) verdict = countRequest(verdict.window, NOON + at, limit, MINUTE)
      return countRequest(verdict.window, NOON + at + verdict.resetS * 1000, limit, MINUTE).allowed || cost > limit
    }),
    { numRuns: 20_000 },
  )
  const late = []
  for (let at = 0; at < MINUTE; at += 1) {
    const last = spend(undefined, 10, NOON + at, 10)
    if (!countRequest(last.window, NOON + at + last.resetS * 1000, 10, MINUTE).allowed) late.push(at)
  }
  t.strictSame(late, [], 'at every millisecond of a window')
})

await t.test('part of a batch was counted with its head: the wait is for the whole of it', async (t) => {
  const head = spend(undefined, 115, NOON)
  const { allowed, resetS, window } = countRequest(head.window, NOON, 120, MINUTE, 9, 10)
  t.equal(allowed, false)
  t.ok(countRequest(window, NOON + resetS * 1000, 120, MINUTE, 10).allowed)
})

await t.test('never more than twice the limit in any sixty seconds, and never more than the limit in a steady stream', async (t) => {
  fc.assert(
    fc.property(visits, ({ limit, start, gaps }) => {
      let window: Window | undefined
      let now = start
      const passed: number[] = []
      for (const gap of gaps) {
        now += gap
        const verdict = countRequest(window, now, limit, MINUTE)
        window = verdict.window
        if (verdict.allowed) passed.push(now)
      }
      return passed.every((moment) => passed.filter((other) => other >= moment && other < moment + MINUTE).length <= 2 * limit)
    }),
  )
  t.pass('for any traffic')
})
