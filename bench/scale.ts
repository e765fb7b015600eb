import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../src/compose/config.js'
import { openDocuments, openLog } from '../src/compose/stores.js'
import { plural } from '../src/lib/message-text.js'
import type { EventLog, NewRecord } from '../src/ports/event-log.js'
import { startMongo } from '../test/servers/mongo.js'
import { startNats } from '../test/servers/nats.js'
import type { Figure } from './figures.js'
import { startProjector, untilAt } from './projector-process.js'
import { firstEvents } from './rebuild/log.js'
import { TeardownStack } from './servers.js'
import { withFolder } from './workspace.js'

const DIST = fileURLToPath(new URL('../', import.meta.url))
const CHUNK = 5000
const SAMPLE_MS = 200
/** The last part of the log is caught up with, after the rest was loaded. */
const LOADED = 0.9

interface Measured {
  seconds: number
  /** The most that the process and its children took together. */
  peakMb: number
}

/**
 * What operators do with logs of these lengths, on NATS and MongoDB. Their files are in memory, so a disk adds to the times that are measured.
 */
export async function benchScale(lengths: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const events of lengths) figures.push(...(await benchLog(events)))
  return figures
}

async function benchLog(events: number): Promise<Figure[]> {
  const ends = new TeardownStack()
  try {
    const [nats, mongo] = [await startNats(ends), await startMongo(ends, 1, { cacheGb: null })]
    if (nats === null || mongo === null) return []
    const environment = { NATS_URL: nats.url, MONGODB_URL: mongo.url, EVENTSTORE_URL: 'nats', LOG_LEVEL: 'warn' }
    const config = readConfig(environment)
    const [log, documents] = [await openLog(config), await openDocuments(config)]
    ends.teardown(() => Promise.all([log.close(), documents.close()]))
    const figures: Figure[] = []
    const report = (name: string, count: number | null, { seconds, peakMb }: Measured, more = '') => {
      const rate = count === null ? '' : `, ${Math.round(count / seconds)} events/s`
      const reference = `${Math.round(peakMb)} MB${rate}${more}`
      figures.push({ name: `${events} events: ${name}`, value: seconds, unit: 's', reference, goal: 'reported', met: true })
      console.error(`${name}: ${Math.round(seconds)} s, ${reference}`)
    }
    const command = (...args: string[]) => measure(spawnVitrine(args, environment))
    const project = async (position: number) => {
      const child = await startProjector(DIST, environment)
      return measure(child, async () => {
        await untilAt(documents, position)
        child.kill('SIGTERM')
      })
    }

    const loaded = Math.round(LOADED * events)
    const records = firstEvents(events)
    const seen: Seen = { counts: new Map(), removed: [] }
    await publish(log, records, loaded, seen)
    report('first load of nine tenths', loaded, await project(loaded))
    await publish(log, records, events - loaded, seen)
    report('catching up with the last tenth', events - loaded, await project(events))
    report('rebuild of all models', events, await command('rebuild', 'all'))
    const [creation, creator] = [busiest(seen, 'creation/', 1000), busiest(seen, 'creator/', Number.POSITIVE_INFINITY)]
    for (const aggregate of [creation, creator])
      report(`explain ${aggregate}`, null, await command('explain', aggregate), `, ${seen.counts.get(aggregate)} events of its own`)
    report('verify of all models', events, await command('verify', 'all'))
    report(`redact ${plural(seen.removed.length, 'creator')}`, events, await command('redact', ...seen.removed))
    await withFolder(async (folder) => {
      const backup = join(folder, 'backup')
      report('backup', events, await command('backup', backup), `, ${megabytes(backup)} MB on disk`)
      const embedded = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
      report('restore of that, embedded', events, await measure(spawnVitrine(['restore', backup], embedded)))
    })
    return figures
  } finally {
    await ends.all()
  }
}

interface Seen {
  /** By aggregate: how many events it has. */
  counts: Map<string, number>
  /** The first creators who are removed. */
  removed: string[]
}

const MAX_REMOVED = 10

/** The next events of the log. */
async function publish(log: EventLog, records: Iterator<NewRecord, void>, count: number, { counts, removed }: Seen): Promise<void> {
  for (let left = count; left > 0; ) {
    const chunk: NewRecord[] = []
    while (chunk.length < Math.min(CHUNK, left)) {
      const { value } = records.next()
      if (value === undefined) throw new Error('the log has no more events')
      chunk.push(value)
      counts.set(value.subject, (counts.get(value.subject) ?? 0) + 1)
      if (removed.length < MAX_REMOVED && value.payload.includes('"creator.removed')) removed.push(value.subject)
    }
    await log.append(chunk)
    left -= chunk.length
  }
}

/** The aggregate with the most events, up to a number. */
function busiest({ counts }: Seen, prefix: string, most: number): string {
  let found = ''
  for (const [subject, count] of counts)
    if (subject.startsWith(prefix) && count <= most && count > (counts.get(found) ?? 0)) found = subject
  return found
}

function spawnVitrine(args: readonly string[], environment: Record<string, string>): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  return spawn(process.execPath, [join(DIST, 'src/main.js'), ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Until the work is done, or without any until the process has ended well. */
async function measure(child: ChildProcess, work?: () => Promise<void>): Promise<Measured> {
  const began = performance.now()
  let peakMb = 0
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(child.pid ?? 0))
  }, SAMPLE_MS)
  const ended = once(child, 'exit')
  if (work === undefined) await ended
  else await work()
  const seconds = (performance.now() - began) / 1000
  const [code] = await ended
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${child.spawnargs.slice(2).join(' ')} ended with ${code}`)
  return { seconds, peakMb }
}

function residentMb(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + residentMb(Number(child)), own)
  } catch {
    return 0
  }
}

const megabytes = (folder: string): number =>
  Math.round(
    readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
      0,
    ) / 1e6,
  )
