import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { withLog } from '../../compose/stores.js'
import { decode, type Position } from '../../events/index.js'
import { errorMessage, plural } from '../../lib/message-text.js'
import type { EventLog, NewRecord } from '../../ports/event-log.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import type { Io } from '../io.js'
import { Progress } from '../progress.js'

const CHUNK = 1000

interface LineError {
  line: number
  reason: string
}

export const publish: Command = {
  name: 'publish',
  summary: 'Append events from a file of CloudEvents, one JSON object a line ("-" is standard input).',
  usage: 'FILE.ndjson',
  flags: {
    'dry-run': { type: 'boolean', help: 'check every line, write nothing' },
    'unknown-types': { type: 'boolean', help: 'also events of unknown types: their sequences are no gaps then' },
  },
  async run(args) {
    const { io } = args
    const [file, ...more] = args.positionals
    if (file === undefined || more.length > 0) throw new CommandError('give one file of events, or "-"')
    const complaints: LineError[] = []
    const records: NewRecord[] = []
    for await (const { line, text } of linesOf(file, io)) {
      const record = toRecord(text, args.has('unknown-types'))
      if ('reason' in record) complaints.push({ line, ...record })
      else records.push(record)
    }
    // All or nothing: half a file in the log would be hard to undo.
    if (complaints.length > 0) return report(args, complaints)
    const written = args.has('dry-run') ? null : await write(args, records)
    if (args.json) io.print(JSON.stringify({ events: records.length, ...written }))
    else if (written === null) io.print(`${plural(records.length, 'event is', 'events are')} fit to be published.`)
    else
      io.print(
        `${plural(written.appended, 'event')} published, ${plural(written.duplicates, 'was', 'were')} there already. The log ends at ${written.last}.`,
      )
    return 0
  },
}

const write = ({ config, io }: Arguments, records: readonly NewRecord[]) =>
  withLog(config, (log) => appendInChunks(log, records, CHUNK, new Progress(io.stderr, 'publishing', records.length)))

/** The same check the projections make, before the event is in a log from which nothing is ever removed. */
function toRecord(text: string, acceptsUnknownTypes: boolean): NewRecord | { reason: string } {
  const envelope = parse(text)
  if (envelope === null) return { reason: 'is not a JSON object with "id" and "subject"' }
  const record = { id: envelope.id, subject: envelope.subject, payload: text }
  const decoded = decode({ ...record, position: 1 as Position, appendedAt: Date.now() })
  if (decoded.outcome === 'poison') return { reason: decoded.reason }
  if (decoded.outcome === 'unknown' && !acceptsUnknownTypes) return { reason: `unknown type "${decoded.type}"` }
  return record
}

const Envelope = z.object({ id: z.string(), subject: z.string() })

function parse(text: string): z.infer<typeof Envelope> | null {
  try {
    return Envelope.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

async function* linesOf(file: string, io: Io): AsyncIterable<{ line: number; text: string }> {
  const input = file === '-' ? io.stdin : createReadStream(file)
  let line = 0
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1
      if (text.trim() !== '') yield { line, text: text.trim() }
    }
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${errorMessage(error)}`)
  }
}

function report({ json, io }: Arguments, complaints: readonly LineError[]): number {
  if (json) io.print(JSON.stringify({ complaints }))
  else {
    for (const { line, reason } of complaints.slice(0, 20)) io.warn(`line ${line}: ${reason}`)
    if (complaints.length > 20) io.warn(`… and ${complaints.length - 20} more`)
    io.warn('Nothing was published.')
  }
  return 1
}

/** Appends records in transactions of `size`. */
export async function appendInChunks(
  log: EventLog,
  records: Iterable<NewRecord>,
  size: number,
  progress: Progress,
): Promise<{ appended: number; duplicates: number; last: number }> {
  const sum = { appended: 0, duplicates: 0, last: (await log.bounds()).last as number }
  let chunk: NewRecord[] = []
  const append = async () => {
    const { appended, duplicates, last } = await log.append(chunk)
    sum.appended += appended
    sum.duplicates += duplicates
    sum.last = last
    progress.advance(chunk.length)
    chunk = []
  }
  try {
    for (const record of records) if (chunk.push(record) === size) await append()
    if (chunk.length > 0) await append()
  } finally {
    progress.end()
  }
  return sum
}
