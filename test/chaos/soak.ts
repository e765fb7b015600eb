/** A process at work for a long time: its memory and its open handles, every so often. */
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { demoLog } from '../../demo/index.js'
import { SeededRandom } from '../../demo/random.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { UnreliablePublisher } from '../support/unreliable-publisher.js'
import { TeardownStack } from './environment.js'

export interface Sample {
  minute: number
  residentMb: number
  heapMb: number
  handles: number
  answers: number
  events: number
}

/** The first part of it is for warming up: caches fill, code is compiled. */
const WARM = 1 / 3
const SAMPLES = 20

/** Publishes, reads and asks at a gentle pace. `told` is called with each sample. */
export async function soak(
  minutes: number,
  told: (sample: Sample) => void,
): Promise<{ samples: Sample[]; grownMb: number; grownHandles: number }> {
  const teardowns = new TeardownStack()
  try {
    const folder = await DataFolder.open(teardowns)
    const story = demoLog({ creators: 1000, creations: 20_000, seed: 1, webUrl: 'http://localhost' })
    const publisher = new UnreliablePublisher(new SeededRandom(1), story, 1000)
    await folder.append(publisher.next(2000))
    const serving = await Serving.start(teardowns, folder.path, ['--rate-limit-agent', 'off', '--rate-limit-mcp', 'off'])
    await serving.ready()
    let answers = 0
    let events = 2000
    const samples: Sample[] = []
    const began = Date.now()
    const endsAt = began + minutes * 60_000
    const next = () => began + ((samples.length + 1) * minutes * 60_000) / SAMPLES
    for (let turn = 0; Date.now() < endsAt; turn++) {
      const some = publisher.next(3)
      await folder.append(some)
      events += some.length
      for (const path of [
        `/public/share/community?q=a${turn % 500}`,
        '/public/share/community',
        '/public/share/tags',
        '/public/share/community/landing',
      ])
        answers += Number((await request(serving.api, path)).statusCode === 200)
      answers += Number((await request(serving.web, `/?sort=${turn % 2 === 0 ? 'liked' : 'recent'}`)).statusCode === 200)
      const asked = await fetch(`http://127.0.0.1:${serving.web}/ask`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'What is popular?', prefer: { streaming: turn % 2 === 0 } }),
      })
      await asked.text()
      answers += Number(asked.ok)
      if (Date.now() >= next()) {
        const sample = { minute: Math.round((Date.now() - began) / 6000) / 10, ...(await figures(serving)), answers, events }
        samples.push(sample)
        told(sample)
      }
      await delay(100)
    }
    return { samples, ...growth(samples) }
  } finally {
    await teardowns.run()
  }
}

async function figures({ admin, pid }: Serving): Promise<Pick<Sample, 'residentMb' | 'heapMb' | 'handles'>> {
  const { body } = await request(admin, '/metrics')
  const figure = (name: string) => Math.round(Number(new RegExp(`^vitrine_${name} (\\S+)`, 'm').exec(body)?.[1]) / 1e6)
  return {
    residentMb: figure('process_resident_memory_bytes'),
    heapMb: figure('nodejs_heap_size_used_bytes'),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  }
}

/** From the middle third to the last: the mean of each, because the garbage collector runs at its own times. */
function growth(samples: readonly Sample[]): { grownMb: number; grownHandles: number } {
  const warm = samples.slice(Math.floor(samples.length * WARM))
  const middle = warm.slice(0, Math.floor(warm.length / 2))
  const last = warm.slice(Math.floor(warm.length / 2))
  const grown = (of: (sample: Sample) => number) => Math.round(mean(last.map(of)) - mean(middle.map(of)))
  return { grownMb: grown(({ residentMb }) => residentMb), grownHandles: grown(({ handles }) => handles) }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
