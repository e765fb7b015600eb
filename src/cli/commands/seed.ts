import { DEMO_DEFAULTS, demoLog } from '../../../demo/index.js'
import { openLog } from '../../compose/stores.js'
import { plural } from '../../lib/plural.js'
import type { EventLog, NewRecord } from '../../ports/event-log.js'
import { type Command, CommandError, wholeNumber } from '../command-line.js'
import type { Io } from '../io.js'
import { Progress } from '../progress.js'

/** Records per transaction. */
const CHUNK = 2000

export const seed: Command = {
  name: 'seed',
  summary: 'Write deterministic demo events into the log.',
  flags: {
    creators: { type: 'string', help: `how many creators (${DEMO_DEFAULTS.creators})` },
    creations: { type: 'string', help: `how many creations (${DEMO_DEFAULTS.creations})` },
    seed: { type: 'string', help: `another number is another community (${DEMO_DEFAULTS.seed})` },
  },
  async run(args) {
    const creators = wholeNumber(args, 'creators', DEMO_DEFAULTS.creators)
    const creations = wholeNumber(args, 'creations', DEMO_DEFAULTS.creations)
    const seed = wholeNumber(args, 'seed', DEMO_DEFAULTS.seed)
    if (creators === 0 && creations > 0) throw new CommandError('creations need a creator: --creators must be at least 1')
    const log = await openLog(args.config)
    try {
      const result = await seedLog(log, args.io, { creators, creations, seed, webUrl: args.config.WEB_URL })
      args.io.print(args.json ? JSON.stringify(result) : `${plural(result.appended, 'event')} written, the log ends at ${result.last}.`)
    } finally {
      await log.close()
    }
    return 0
  },
}

/** The demo in its default size. */
export const seedDemo = (log: EventLog, io: Io, webUrl: string) => seedLog(log, io, { ...DEMO_DEFAULTS, webUrl })

async function seedLog(
  log: EventLog,
  io: Io,
  options: Parameters<typeof demoLog>[0],
): Promise<{ appended: number; duplicates: number; last: number }> {
  const progress = new Progress(io.stderr, 'seeding', null)
  const sum = { appended: 0, duplicates: 0, last: 0 }
  for (const chunk of chunks(demoLog(options), CHUNK)) {
    const { appended, duplicates, last } = await log.append(chunk)
    sum.appended += appended
    sum.duplicates += duplicates
    sum.last = last
    progress.advance(chunk.length)
  }
  progress.end()
  return sum
}

function* chunks(records: Iterable<NewRecord>, size: number): Iterable<NewRecord[]> {
  let chunk: NewRecord[] = []
  for (const record of records) {
    chunk.push(record)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
