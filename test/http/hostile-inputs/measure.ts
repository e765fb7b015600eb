/** What hostile requests cost, as a multiple of a cached read in the same run. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { demoLog } from '../../../demo/index.js'
import type { JobFollower } from '../../../src/ask/jobs/job-follower.js'
import type { JobSummary } from '../../../src/ask/jobs/job-projection.js'
import { JobQuota, type QuotaLimits } from '../../../src/ask/jobs/job-quota.js'
import { Service, WEB_URL } from '../../harness/service.js'
import { type Answer, Connection } from './connection.js'
import type { HostileRequest } from './hostile-request.js'

export interface Measured {
  name: string
  answer: Answer
  /** Processor time per request counted, over that of a cached read on the web host. */
  ratio: number
}

const CACHED_READ = Buffer.from('GET /public/share/community HTTP/1.1\r\nHost: localhost\r\n\r\n')
/** Until it is compiled: a reference that is cold makes everything else look cheap. */
const WARM_UP = 2000
const READS = 100
const TRIES = 4
/** A request that seems dear is sent again: the least of several is what it takes, the rest is what else the machine did. */
const SEEMS_DEAR = 8
const ROUNDS = 6
/** What still is so after the first rounds is compared with reads of that moment: the machine may have become slower. */
const IS_DEAR = 30
const MOST_ROUNDS = 4 * ROUNDS
/** Rarely enough to cost nothing. */
const LOOK_AGAIN_MS = 5
/** A limit that no walk reaches: it shows how many requests one counts as. */
const MANY = 1_000_000_000
const ANY_NUMBER: QuotaLimits = { jobs: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** Sends all requests to a service with a demo community, one after the other over real sockets. */
export async function* measure(t: Pick<Test, 'teardown'>, requests: Iterable<HostileRequest>): AsyncGenerator<Measured> {
  const meter = await startMeter(t)
  let cachedMs = await leastReadMs(meter)
  let sent = 0
  for (const request of requests) {
    sent += 1
    if (sent % 1000 === 0) cachedMs = await leastReadMs(meter)
    const ratios: number[] = []
    let answer: Answer
    do {
      if (ratios.length > 0 && ratios.length % ROUNDS === 0) cachedMs = await leastReadMs(meter)
      const { ms, result } = await meter.send(request, sent * MOST_ROUNDS + ratios.length)
      ratios.push(ms / cachedMs)
      answer = result
    } while (Math.min(...ratios) > (ratios.length < ROUNDS ? SEEMS_DEAR : IS_DEAR) && ratios.length < MOST_ROUNDS)
    yield { name: request.name, answer, ratio: Math.min(...ratios) }
  }
}

/** By the least of several tries, as the requests that it is compared with. */
async function leastReadMs({ cachedReadMs }: Awaited<ReturnType<typeof startMeter>>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n += 1) least = Math.min(least, await cachedReadMs('web'))
  return least
}

/**
 * A service of this process, and what requests to it take. A cached read on the web host goes the way that other requests go; the api
 * host sends it before Fastify, in less time.
 */
export async function startMeter(t: Pick<Test, 'teardown'>) {
  const service = await Service.start(t, {
    records: demoLog({ creators: 100, creations: 1000, seed: 1, webUrl: WEB_URL }),
    quota: new JobQuota({ perCaller: ANY_NUMBER, inAll: ANY_NUMBER }),
    ...{ limit: MANY, agentLimit: MANY, mcpLimit: MANY },
    // What was counted stays counted.
    now: () => 0,
  })
  await service.ask.warmUp(new AbortController().signal)
  const open = async (host: HostileRequest['host']) => new Connection(await service.listen(service[host]))
  const connections = { api: await open('api'), web: await open('web'), admin: await open('admin') }
  t.teardown(() => {
    for (const connection of Object.values(connections)) connection.close()
  })
  const left = new Map<string, number>()
  const exchange = async (host: HostileRequest['host'], bytes: Buffer) => {
    const answer = await connections[host].exchange(bytes)
    const [, limit = '', remaining] = /^ratelimit: ("\w+");r=(\d+)/im.exec(answer.head) ?? []
    const counts = remaining === undefined ? 1 : (left.get(limit) ?? MANY) - Number(remaining)
    if (remaining !== undefined) left.set(limit, Number(remaining))
    return { answer, counts }
  }
  const read = async (host: 'api' | 'web', count: number) => {
    for (let n = 0; n < count; n += 1) await exchange(host, CACHED_READ)
  }
  for (const host of ['api', 'web'] as const) await read(host, WARM_UP)
  return {
    cachedReadMs: async (host: 'api' | 'web', reads = READS): Promise<number> => (await cpuMs(() => read(host, reads))).ms / reads,
    /** The processor time per request counted, of a job with its answer: an embedded service answers it in the same process. */
    send: async ({ host, bytes }: HostileRequest, round: number): Promise<{ ms: number; result: Answer }> => {
      const prepared = bytes(round)
      const { ms, result } = await cpuMs(async () => {
        const sent = await exchange(host, prepared)
        if (sent.answer.status === 202) await answered(service.jobs)
        return sent
      })
      return { ms: ms / result.counts, result: result.answer }
    },
  }
}

/** Waits until no job is open, then for those who hear of the answer. */
async function answered(jobs: JobFollower): Promise<void> {
  do await pause(LOOK_AGAIN_MS)
  while (isAnyOpen(jobs.summary()))
  await pause(LOOK_AGAIN_MS)
}

const isAnyOpen = (jobs: JobSummary | null): boolean => jobs === null || jobs.queued + jobs.running > 0

async function cpuMs<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000, result }
}
