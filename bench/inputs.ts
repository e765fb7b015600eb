import type { HostileRequest } from '../test/http/hostile-inputs/hostile-request.js'
import { measure, startMeter } from '../test/http/hostile-inputs/measure.js'
import { hostileRequests } from '../test/http/hostile-inputs/requests.js'
import type { Figure } from './figures.js'

const GOAL = 50
const LISTED = 10
/** More than are listed: the walk is a rough measure. */
const CANDIDATES = 40
const ROUNDS = 30

/**
 * The dearest hostile requests, each kind of request once. A walk finds candidates; then each is sent between cached reads, and
 * medians are compared. The goal is held to the faster of the two cached reads.
 */
export async function benchInputs(every: number): Promise<Figure[]> {
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => ends.push(end) }
  try {
    console.error('inputs: sending hostile requests …')
    const candidates = await findCandidates(t, every)
    const meter = await startMeter(t)
    const figures: Figure[] = []
    for (const request of candidates) {
      const times = { request: [] as number[], web: [] as number[], api: [] as number[] }
      for (let round = 0; round < ROUNDS; round += 1) {
        times.request.push((await meter.send(request, round)).ms)
        for (const host of ['web', 'api'] as const) times[host].push(await meter.cachedReadMs(host, 20))
      }
      const [ms, web, api] = [median(times.request), median(times.web), median(times.api)]
      const reference = `${ms.toFixed(1)} ms; cached read ${api.toFixed(2)} ms; on the web host ${web.toFixed(2)} ms: ${(ms / web).toFixed(0)} ×`
      figures.push({ name: request.name, value: ms / api, unit: '×', reference, goal: `≤ ${GOAL}`, met: ms / api <= GOAL })
    }
    return figures.sort((a, b) => b.value - a.value).slice(0, LISTED)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

async function findCandidates(t: Parameters<typeof measure>[0], every: number): Promise<HostileRequest[]> {
  const requests = [...hostileRequests()].filter((_, n) => n % every === 0)
  const byName = new Map(requests.map((request) => [request.name, request]))
  const dearest = new Map<string, { name: string; ratio: number }>()
  for await (const { name, ratio } of measure(t, requests)) {
    const [kind = name] = name.split(/[,:]/, 1)
    if (ratio > (dearest.get(kind)?.ratio ?? 0)) dearest.set(kind, { name, ratio })
  }
  const found = [...dearest.values()].sort((a, b) => b.ratio - a.ratio).slice(0, CANDIDATES)
  return found.flatMap(({ name }) => byName.get(name) ?? [])
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
