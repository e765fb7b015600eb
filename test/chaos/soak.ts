/** A process at work for a long time: its memory and its open handles, every so often. */
import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { demoLog } from '../../demo/index.js'
import { SeededRandom } from '../../demo/random.js'
import { temporaryFolder } from '../adapters/folder.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { UnreliablePublisher } from '../support/unreliable-publisher.js'
import { TeardownStack } from './environment.js'
import { VariedRequests } from './varied-requests.js'

export interface Sample {
  minute: number
  requests: number
  residentMb: number
  /** After a full garbage collection, without the answer cache, which follows the traffic. */
  retainedMb: number
  cacheMb: number
  handles: number
}

/** From the middle to the end: caches fill and code is compiled in the first half. */
export interface Growth {
  residentMb: number
  retainedBytesPerRequest: number
  handles: number
}

/**
 * What is bounded by a count or a day still fills: callers, jobs. The allocator keeps some room, and connections come and go.
 * While kept answers held on to the blocks they were cut from, it was 783 to 885 bytes per request.
 */
const FLAT: Growth = { residentMb: 40, retainedBytesPerRequest: 550, handles: 20 }
const SAMPLES = 10
const CLIENTS = 8
/** About a hundred requests a second, if the machine is free. */
const PAUSE_MS = 80
const PROBE = new URL('memory-probe.js', import.meta.url).href

/** Reads, asks and publishes at a gentle pace. `told` is called with each sample. */
export async function soak(minutes: number, told: (sample: Sample) => void): Promise<Growth> {
  const teardowns = new TeardownStack()
  try {
    const folder = await DataFolder.open(teardowns)
    const story = demoLog({ creators: 1000, creations: 20_000, seed: 1, webUrl: 'http://localhost' })
    const publisher = new UnreliablePublisher(new SeededRandom(1), story, 1000)
    await folder.append(publisher.next(2000))
    const probe = join(await temporaryFolder(), 'memory.json')
    const env = { NODE_OPTIONS: `--import ${PROBE}`, MEMORY_PROBE: probe }
    const serving = await Serving.start(teardowns, folder.path, ['--trust-proxy', 'on'], env)
    await serving.ready()
    const load = new VariedRequests(serving, new SeededRandom(2))
    teardowns.teardown(() => load.close())
    await load.prepare()
    const samples: Sample[] = []
    const began = Date.now()
    const part = (minutes * 60_000) / SAMPLES
    while (samples.length < SAMPLES) {
      const until = began + part * (samples.length + 1)
      const client = async () => {
        for (; Date.now() < until; await delay(PAUSE_MS)) await load.next()
      }
      const publish = async () => {
        for (; Date.now() < until; await delay(1000)) await folder.append(publisher.next(1))
      }
      await Promise.all([publish(), ...Array.from({ length: CLIENTS }, client)])
      const minute = Math.round((Date.now() - began) / 6000) / 10
      const sample = { minute, requests: load.sent, ...(await figures(serving, probe)) }
      samples.push(sample)
      told(sample)
    }
    return growth(samples)
  } finally {
    await teardowns.run()
  }
}

async function figures(serving: Serving, probe: string): Promise<Omit<Sample, 'minute' | 'requests'>> {
  await rm(probe, { force: true })
  serving.signal('SIGUSR2')
  const { retained, rss } = JSON.parse(await eventually(() => readFile(probe, 'utf8').catch(() => false as const)))
  const { body } = await request(serving.admin, '/metrics')
  const cache = Number(/^vitrine_cache_bytes (\S+)/m.exec(body)?.[1])
  const handles = readdirSync(`/proc/${serving.pid}/fd`).length
  return { residentMb: rss / 1e6, retainedMb: (retained - cache) / 1e6, cacheMb: cache / 1e6, handles }
}

export const isFlat = (grown: Growth): boolean =>
  grown.residentMb < FLAT.residentMb && grown.retainedBytesPerRequest < FLAT.retainedBytesPerRequest && grown.handles < FLAT.handles

function growth(samples: readonly Sample[]): Growth {
  const [middle, end] = [samples[SAMPLES / 2 - 1], samples[SAMPLES - 1]]
  if (middle === undefined || end === undefined) throw new Error('there are too few samples')
  return {
    residentMb: end.residentMb - middle.residentMb,
    retainedBytesPerRequest: ((end.retainedMb - middle.retainedMb) * 1e6) / (end.requests - middle.requests),
    handles: end.handles - middle.handles,
  }
}
