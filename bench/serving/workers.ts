import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { median } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import { cpuMs } from '../cpu.js'
import type { Figure } from '../figures.js'
import { runLoad, startService } from '../hot/processes.js'
import { hotUrls } from '../hot/urls.js'

const CONNECTIONS = 32
const URLS = 2000
const GOAL = 1.7
/** One for each worker, and one for the load generator. */
const CORES = 3

/**
 * Two query processes over one: answers a second, and the processor time of an answer. The client needs a processor, too: on a
 * machine with two the rate says nothing about two workers, but their cost says what they would do with one each.
 */
export async function benchWorkers(communities: Communities, creations: number, rounds: number, seconds: number): Promise<Figure[]> {
  const folder = await communities.of(creations)
  const flags = ['--roles', 'query']
  const one = await startService(folder, flags)
  const two = await startService(folder, [...flags, '--workers', '2'])
  const rates: Record<'one' | 'two', number[]> = { one: [], two: [] }
  const costs: Record<'one' | 'two', number[]> = { one: [], two: [] }
  try {
    const urls = await hotUrls(one.port, URLS)
    for (let round = -1; round < rounds; round++) {
      for (const [name, { port, pid }] of [['one', one] as const, ['two', two] as const]) {
        const before = cpuOf(pid)
        const rate = await runLoad({ port, connections: CONNECTIONS, seconds, urls, expected: [200] })
        if (round < 0) continue
        rates[name].push(rate)
        costs[name].push((cpuOf(pid) - before) / (rate * seconds))
      }
    }
  } finally {
    await one.stop()
    await two.stop()
  }
  const rate = median(rates.two) / median(rates.one)
  const scaled = (2 * median(costs.one)) / median(costs.two)
  const enough = cpus().length >= CORES
  return [
    {
      name: `two workers over one, answers a second${enough ? '' : `, on ${cpus().length} cores with the load on them`}`,
      value: rate,
      unit: '×',
      reference: `one worker (${Math.round(median(rates.one))}/s)`,
      goal: enough ? `≥ ${GOAL}` : 'reported',
      met: !enough || rate >= GOAL,
    },
    {
      name: 'the same by processor time an answer, were there a core for each',
      value: scaled,
      unit: '×',
      reference: `${median(costs.two).toFixed(3)} of ${median(costs.one).toFixed(3)} ms`,
      goal: `≥ ${GOAL}`,
      met: scaled >= GOAL,
    },
  ]
}

/** Of a process and of those it has started. */
function cpuOf(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + (cpuMs(one) ?? 0), 0)
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // It has ended since.
    return null
  }
}
