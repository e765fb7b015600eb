/** What every way to count promises a caller, for any traffic. */
import fc from 'fast-check'
import type { Test } from 'tap'
import type { Quota, RateWindows } from '../../../src/ports/rate-windows.js'
import { eventually } from '../../ports/subject.js'

const MINUTE = 60_000
const START = 1_800_000_000_000
const CALLERS = 3

const traffic = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  /** What the callers of one network have together, in limits of one. */
  share: fc.constantFrom(1, 2, 10),
  steps: fc.array(
    fc.record({
      gap: fc.oneof(fc.nat(20), fc.nat(2500), fc.nat(70_000)),
      cost: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(60).map((more) => more + 1) }),
      caller: fc.nat(CALLERS - 1),
      via: fc.nat(1),
      /** Whether the caller waits as long as its last answer said. */
      patient: fc.boolean(),
    }),
    { minLength: 1, maxLength: 80 },
  ),
})

interface Promises {
  /** Which processes count. */
  processes: readonly RateWindows[]
  numRuns: number
  /** Whether each knows what the others have let pass. Not so while a worker holds a lease. */
  isExact?: boolean
}

export async function keepsItsNumber(t: Test, { processes, numRuns, isExact = true }: Promises): Promise<void> {
  let run = 0
  const property = fc.asyncProperty(traffic, async ({ limit, share, steps }) => {
    run += 1
    const network = { key: `network-${run}`, limit: limit * share }
    const quotasOf = (caller: number): Quota[] => [{ key: `caller-${run}-${caller}`, limit }, network]
    const passed: { at: number; cost: number; caller: number }[] = []
    const inLastMinute = (now: number, caller?: number) =>
      passed.filter((one) => one.at > now - MINUTE && (caller ?? one.caller) === one.caller).reduce((sum, { cost }) => sum + cost, 0)
    const last = new Map<number, { until: number; cost: number; passed: number }>()
    let now = START
    for (const { gap, cost: wanted, caller, via, patient } of steps) {
      const told = last.get(caller)
      const obeys = patient && told !== undefined
      const isPromised = obeys && told.passed === passed.length
      now = obeys ? Math.max(now, told.until) : now + gap
      const cost = obeys ? told.cost : Math.min(wanted, limit)
      const take = (price: number) => processes[via % processes.length]?.take(quotasOf(caller), now, price, price)
      const decision = await take(cost)
      if (decision === undefined) throw new Error('no process')
      const spent = [inLastMinute(now, caller), inLastMinute(now)] as const
      const fits = spent[0] + cost <= limit && spent[1] + cost <= network.limit
      last.delete(caller)
      if (decision.allowed) {
        if (!fits) throw new Error(`${spent} and ${cost} more than ${limit}`)
        passed.push({ at: now, cost, caller })
      } else if (isExact && fits) throw new Error(`refused with ${spent} of ${limit}`)
      else if (isPromised) throw new Error('refused after the announced wait')
      const left = Math.min(limit - inLastMinute(now, caller), network.limit - inLastMinute(now))
      if (isExact && decision.remaining !== left) throw new Error(`${decision.remaining} left, not ${left}`)
      if (decision.resetS < 1 || decision.resetS > 61) throw new Error(`wait ${decision.resetS} s`)
      const isSpent = !decision.allowed || decision.remaining === 0
      if (isSpent) last.set(caller, { until: now + decision.resetS * 1000, cost: decision.allowed ? 1 : cost, passed: passed.length })
    }
    const silentUntil = Math.max(...passed.map(({ at }) => at), START) + MINUTE
    for (let caller = 0; caller < CALLERS; caller += 1)
      // What can never fit is refused and costs nothing, but says how much is left.
      for (const windows of processes)
        await eventually(async () => (await windows.take(quotasOf(caller), silentUntil, limit * share + 1)).remaining === limit)
  })
  await fc.assert(property, { numRuns })
  t.pass('for any traffic')
}
