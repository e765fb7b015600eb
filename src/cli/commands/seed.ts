import { DEMO_DEFAULTS, demoLog } from '../../../demo/index.js'
import { withOwnDemoEvents } from '../../compose/models/demo-events.js'
import type { ModelSet } from '../../compose/models/model-set.js'
import { withLog } from '../../compose/stores.js'
import { plural } from '../../lib/message-text.js'
import type { EventLog, NewRecord, Position } from '../../ports/event-log.js'
import { type Command, CommandError, wholeNumber } from '../command-line.js'
import type { Io } from '../io.js'
import { withProgress } from '../progress.js'
import { appendInChunks, rememberModels } from './publish.js'

/** Records per transaction. */
const CHUNK = 2000

export const seed: Command = {
  name: 'seed',
  summary: 'Write deterministic demo events into the log.',
  example: 'seed --creators 50 --creations 200',
  flags: {
    creators: { type: 'string', help: `how many creators (${DEMO_DEFAULTS.creators})` },
    creations: { type: 'string', help: `how many creations (${DEMO_DEFAULTS.creations})` },
    seed: { type: 'string', help: `another number is another community (${DEMO_DEFAULTS.seed})` },
    append: { type: 'boolean', help: 'also into a log that has events; those it has already are left out' },
    'if-empty': {
      type: 'boolean',
      help: 'leave a log that has other events as it is, without an error; go on where seeding was interrupted',
    },
  },
  async run(args) {
    const creators = wholeNumber(args, 'creators', DEMO_DEFAULTS.creators)
    const creations = wholeNumber(args, 'creations', DEMO_DEFAULTS.creations)
    const seed = wholeNumber(args, 'seed', DEMO_DEFAULTS.seed)
    if (creators === 0 && creations > 0) throw new CommandError('creations need a creator: --creators must be at least 1')
    if (args.has('append') && args.has('if-empty')) throw new CommandError('--append and --if-empty exclude each other')
    const options = { creators, creations, seed, webUrl: args.config.WEB_URL }
    const result = await withLog(args.config, async (log) => {
      const { last } = await log.bounds()
      // Nothing can be taken out of a log, so people who do not exist must not get among real ones by mistake.
      if (last > 0 && !args.has('append') && !args.has('if-empty'))
        throw new CommandError(
          `the log is not empty, it ends at ${last}: --append writes the demo events after these, --if-empty leaves the log as it is`,
        )
      const events = withOwnDemoEvents(demoLog(options), args.models)
      if (args.has('if-empty') && !(await skipWritten(log, events))) return { appended: 0, duplicates: 0, last }
      await rememberModels(args)
      return write(log, events, args.io)
    })
    args.answer(result, `${plural(result.appended, 'event')} written, the log ends at ${result.last}.`)
  },
}

/** The demo in its default size: all of it, or what an interrupted start has left out. */
export async function seedDemo(log: EventLog, io: Io, models: ModelSet, webUrl: string): Promise<void> {
  const events = withOwnDemoEvents(demoLog({ ...DEMO_DEFAULTS, webUrl }), models)
  if (await skipWritten(log, events)) await write(log, events, io)
}

/** Takes from `events` what the log has. False unless the log is their beginning: it ends with the event that would stand there. */
async function skipWritten(log: EventLog, events: Iterator<NewRecord>): Promise<boolean> {
  const { last } = await log.bounds()
  if (last === 0) return true
  const [written] = await log.read((last - 1) as Position, 1)
  let event = events.next()
  for (let position = 1; position < last && !event.done; position++) event = events.next()
  // Other seeds give the same ids, at other times.
  return !event.done && event.value.id === written?.id && event.value.appendedAt === written.appendedAt
}

const write = (log: EventLog, events: Iterable<NewRecord>, io: Io) =>
  withProgress(io.stderr, 'seeding', null, (advance) => appendInChunks(log, events, CHUNK, advance))
