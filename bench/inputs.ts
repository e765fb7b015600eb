import { measure } from '../test/http/hostile-inputs/measure.js'
import { hostileRequests } from '../test/http/hostile-inputs/requests.js'
import type { Figure } from './figures.js'

const GOAL = 50
const LISTED = 10

/** The dearest hostile requests, each kind of request once, as multiples of a cached read. */
export async function benchInputs(every: number): Promise<Figure[]> {
  const ends: (() => unknown)[] = []
  const dearest = new Map<string, Figure>()
  try {
    console.error('inputs: sending hostile requests …')
    const requests = [...hostileRequests()].filter((_, n) => n % every === 0)
    for await (const { name, ratio } of measure({ teardown: (end: () => unknown) => ends.push(end) }, requests)) {
      const [kind = name] = name.split(/[,:]/, 1)
      if (ratio > (dearest.get(kind)?.value ?? 0))
        dearest.set(kind, { name, value: ratio, unit: '×', goal: `≤ ${GOAL}`, met: ratio <= GOAL })
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
  return [...dearest.values()].sort((a, b) => b.value - a.value).slice(0, LISTED)
}
