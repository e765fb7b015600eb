import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { requireAccepted } from '../../compose/models/accepted-models.js'
import { withDocuments, withLog } from '../../compose/stores.js'
import { type Arrival, decode, type EventTypes, type Position } from '../../events/index.js'
import { errorMessage, plural } from '../../lib/message-text.js'
import { didYouMean } from '../../lib/nearest-word.js'
import { parseJson } from '../../lib/parse-json.js'
import type { EventLog, NewRecord } from '../../ports/event-log.js'
import { checkSequences, type SequenceReport } from '../check-sequences.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import type { Io } from '../io.js'
import { withProgress } from '../progress.js'

const CHUNK = 1000

/** The largest event that a NATS server can be told to take (max_payload). */
const MAX_LINE = 64 * 1024 * 1024

/** Of complaints and of gaps. */
const MAX_SHOWN = 20

type LineError = SequenceReport['complaints'][number]

interface ReadEvent {
  line: number
  record: NewRecord
  arrival: Arrival | null
}

export const publish: Command = {
  name: 'publish',
  summary: 'Append events from a file of CloudEvents, one JSON object a line ("-" is standard input).',
  usage: 'FILE.ndjson',
  example: 'publish examples/events.ndjson --dry-run',
  flags: {
    'dry-run': { type: 'boolean', help: 'only check every line, and ids and sequences against the log; write nothing' },
    'unknown-types': { type: 'boolean', help: 'also events of unknown types: their sequences are no gaps then' },
  },
  async run(args) {
    const { io } = args
    const [file] = args.positionals
    if (file === undefined) throw new CommandError('give one file of events, or "-"')
    const complaints: LineError[] = []
    const events: ReadEvent[] = []
    for await (const { line, text } of linesOf(file, io)) {
      const event = readEvent(text, args.models.events, args.has('unknown-types'))
      if ('reason' in event) complaints.push({ line, ...event })
      else events.push({ line, ...event })
    }
    // All or nothing: half a file in the log would be hard to undo.
    if (complaints.length > 0) return report(args, complaints)
    const candidates = events.flatMap(({ line, arrival }) => (arrival === null ? [] : [{ ...arrival, line }]))
    const sequences = await checkSequences(args.config, args.models.events, candidates)
    if (sequences.complaints.length > 0) return report(args, sequences.complaints)
    if (args.has('dry-run')) return dryRun(args, events.length, sequences)
    await rememberModels(args)
    const written = await write(
      args,
      events.map(({ record }) => record),
    )
    const { appended, duplicates, last } = written
    const { known } = sequences
    const text = `${plural(appended, 'event')} published, ${plural(duplicates, 'was', 'were')} there already. The log ends at ${last}.`
    args.answer({ events: events.length, known, ...written }, text)
    if (duplicates <= known) return 0
    if (!args.json) io.warn(`${plural(duplicates - known, 'was', 'were')} left out: the log has their ids, in events of other aggregates.`)
    return 1
  },
}

function dryRun({ io, json, answer }: Arguments, events: number, { gaps, known }: SequenceReport): number {
  if (!json) {
    for (const { aggregate, missing } of gaps.slice(0, MAX_SHOWN)) io.warn(`${aggregate}: missing after this: sequence ${missing}`)
    if (gaps.length > MAX_SHOWN) io.warn(`… and ${gaps.length - MAX_SHOWN} more aggregates with gaps`)
  }
  const there = known === 0 ? '' : ` ${plural(known, 'is', 'are')} in the log already.`
  answer({ events, known, gaps }, `${plural(events, 'event is', 'events are')} fit to be published.${there}`)
  return 0
}

const write = ({ config, io }: Arguments, records: readonly NewRecord[]) =>
  withLog(config, (log) => withProgress(io.stderr, 'publishing', records.length, (advance) => appendInChunks(log, records, CHUNK, advance)))

/** The same check the projections make, before the event is in a log from which nothing is ever removed. */
function readEvent(text: string, types: EventTypes, acceptsUnknownTypes: boolean): Omit<ReadEvent, 'line'> | { reason: string } {
  const envelope = JsonObject.safeParse(parseJson(text)).data
  if (envelope === undefined) return { reason: 'is not a JSON object' }
  const record = { id: String(envelope.id), subject: String(envelope.subject), payload: text }
  const decoded = decode({ ...record, position: 1 as Position, appendedAt: Date.now() }, types)
  if (decoded.outcome === 'poison') return { reason: decoded.reason }
  if (decoded.outcome === 'event') return { record, arrival: decoded.event }
  if (decoded.outcome === 'unknown' && !acceptsUnknownTypes)
    return { reason: `unknown type "${decoded.type}"${didYouMean(types.nearest(decoded.type))}` }
  return { record, arrival: decoded.arrival }
}

const JsonObject = z.record(z.string(), z.unknown())

/** Not with readline: it also splits at U+2028, which JSON may hold, and keeps lines of any length. */
async function* linesOf(file: string, io: Io): AsyncIterable<{ line: number; text: string }> {
  const input = file === '-' ? io.stdin : createReadStream(file)
  let line = 1
  let rest = ''
  try {
    for await (const chunk of input.setEncoding('utf8')) {
      const [end, ...lines] = String(chunk).split('\n')
      rest += end
      if (rest.length > MAX_LINE) throw new RangeError(`line ${line} is longer than ${MAX_LINE} characters`)
      for (const next of lines) {
        if (rest.trim() !== '') yield { line, text: rest.trim() }
        line += 1
        rest = next
      }
    }
    if (rest.trim() !== '') yield { line, text: rest.trim() }
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${errorMessage(error)}`)
  }
}

function report({ json, io }: Arguments, complaints: readonly LineError[]): number {
  if (json) io.print(JSON.stringify({ complaints }))
  else {
    for (const { line, reason } of complaints.slice(0, MAX_SHOWN)) io.warn(`line ${line}: ${reason}`)
    if (complaints.length > MAX_SHOWN) io.warn(`… and ${complaints.length - MAX_SHOWN} more`)
    io.warn('Nothing was published.')
  }
  return 1
}

/** Once custom events are in the log, a command without their types must be refused, also before a projector has run. */
export async function rememberModels({ config, models }: Pick<Arguments, 'config' | 'models'>): Promise<void> {
  if (models.own.length > 0) await withDocuments(config, (documents) => requireAccepted(documents, models, { remember: true }))
}

/** Appends records in transactions of `size`. */
export async function appendInChunks(
  log: EventLog,
  records: Iterable<NewRecord>,
  size: number,
  advance: (by: number) => void,
): Promise<{ appended: number; duplicates: number; last: number }> {
  const sum = { appended: 0, duplicates: 0, last: (await log.bounds()).last as number }
  let chunk: NewRecord[] = []
  const append = async () => {
    const { appended, duplicates, last } = await log.append(chunk)
    sum.appended += appended
    sum.duplicates += duplicates
    sum.last = last
    advance(chunk.length)
    chunk = []
  }
  for (const record of records) if (chunk.push(record) === size) await append()
  if (chunk.length > 0) await append()
  return sum
}
