import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { withScratchStore, withStores } from '../../compose/stores.js'
import type { Projection } from '../../engine/definition/projection.js'
import { AsOf, type Moment } from '../../engine/replay/as-of.js'
import { decode, type Position } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { Collection } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import { exportToFile, exportToStream, formatOf } from '../export-documents.js'
import { findProjection } from '../find-projections.js'
import type { Io } from '../io.js'
import { withProgress } from '../progress.js'

export const replay: Command = {
  name: 'replay',
  summary: 'Fold the log once more, beside everything live, and print the documents as they were at some moment.',
  usage: 'NAME|./FILE.ts',
  example: 'replay feed --until 2026-10-01 --out feed.csv',
  needs: 'log',
  flags: {
    until: { type: 'string', help: 'a time of the log or a position; default: the end of the log' },
    from: { type: 'string', help: 'print only documents written after this time or position' },
    key: { type: 'string', help: 'print only the document with this id' },
    collection: { type: 'string', help: 'which of its collections to print; default: the first' },
    out: { type: 'string', help: 'a file: .ndjson, .csv or .parquet; default: standard output' },
  },
  async run(args) {
    const { io } = args
    const [nameOrFile] = args.positionals
    if (nameOrFile === undefined) throw new CommandError('name one projection, or a file that exports one')
    const out = args.flag('out')
    if (out !== undefined) await requireWritableTarget(out)
    const until = parseMoment('until', args.flag('until'))
    const from = parseMoment('from', args.flag('from'))
    if (until && from && !isBefore(from, until)) throw new CommandError('--from must be before --until: nothing was written in between')
    const projection = await findProjection(args.models, nameOrFile)
    const collection = collectionOf(projection, args.flag('collection'))
    return withStores(args.config, async ({ log, documents: store }) => {
      const { last } = await log.bounds()
      return withScratchStore(async (scratch) => {
        const asOf = await withProgress(io.stderr, 'replaying', last, (onProgress) => {
          const options = { projection, log, store, scratch, onProgress }
          return AsOf.fold({ ...options, ...(until && { until }), ...(from && { from }) })
        })
        try {
          const rows = await print(asOf, projection, collection, args)
          // A collection may be empty; a document asked for by its key must exist.
          const isMissing = rows === 0 && args.flag('key') !== undefined
          return (await reportUnfolded(asOf, projection, log, io)) || isMissing ? 1 : 0
        } finally {
          await asOf.close()
        }
      })
    })
  },
}

/** Prints the documents, or writes them to `--out`; returns how many. */
async function print(asOf: AsOf, projection: Projection, collection: Collection, { flag, answer, io }: Arguments): Promise<number> {
  const key = flag('key')
  const out = flag('out')
  const found = asOf.documents(collection, key)
  const documents = out === undefined ? await exportToStream(io.stdout, found) : await exportToFile(out, collection, found)
  if (documents === 0) io.warn(describeEmptyResult(projection, collection, key))
  if (out !== undefined) {
    const { position } = asOf
    const summary = { projection: projection.name, collection: collection.name, position, documents, out }
    const text = `${plural(documents, 'document')} of ${collection.name} as of position ${position} in ${out}`
    answer(summary, text)
  }
  return documents
}

/** No output would look like an answer; most likely another collection was meant. */
function describeEmptyResult({ name, collections }: Projection, { name: chosen }: Collection, key: string | undefined): string {
  const others = collections.map((collection) => collection.name).filter((each) => each !== chosen)
  const elsewhere = others.length > 0 ? ` --collection chooses another: ${others.join(', ')}.` : ''
  return `Nothing to print: ${name} has no document ${key === undefined ? '' : `"${key}" `}in ${chosen} as of then.${elsewhere}`
}

/** Checked before the log is folded, which may take long. */
async function requireWritableTarget(out: string): Promise<void> {
  formatOf(out)
  const folder = dirname(resolve(out))
  await access(folder, constants.W_OK).catch(() => {
    throw new CommandError(`--out: the folder ${folder} is not there, or cannot be written`)
  })
}

/** A time and a position cannot be compared without the log; then it is left to the fold. */
function isBefore(from: Moment, until: Moment): boolean {
  if ('position' in from && 'position' in until) return from.position < until.position
  return !('time' in from && 'time' in until) || from.time < until.time
}

const SHOWN = 3

/**
 * Warns about events that are not in the output. True if the projection is to blame, rather than an event that cannot be
 * read, which the live models have parked as well.
 */
async function reportUnfolded(asOf: AsOf, { events }: Projection, log: EventLog, io: Io): Promise<boolean> {
  const unfolded = await asOf.poisonEvents()
  if (unfolded.length === 0) return false
  io.warn(`vitrine replay: ${plural(unfolded.length, 'event')} could not be folded and ${unfolded.length === 1 ? 'is' : 'are'} left out:`)
  for (const { aggregate, position, error } of unfolded.slice(0, SHOWN)) io.warn(`  ${aggregate} at position ${position}: ${error.message}`)
  if (unfolded.length > SHOWN) io.warn(`  … and ${unfolded.length - SHOWN} more`)
  for (const { position } of unfolded) {
    const [record] = await log.read((position - 1) as Position, 1)
    if (record !== undefined && decode(record, events).outcome === 'event') return true
  }
  return false
}

function collectionOf({ name, collections }: Projection, wanted: string | undefined): Collection {
  const found = wanted === undefined ? collections[0] : collections.find((candidate) => candidate.name === wanted)
  if (found === undefined)
    throw new CommandError(`${name} has no collection "${wanted}", only ${collections.map((c) => c.name).join(', ')}`)
  return found
}

const TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/

/** `120000`, or `2026-10-01`, or `2026-10-01T00:00:00Z`. Without a zone it is UTC: the same answer everywhere. */
export function parseMoment(flag: string, text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) as Position }
  const time = timeOf(text)
  if (Number.isNaN(time)) throw new CommandError(`--${flag} must be a position or a time such as 2026-10-01T00:00:00Z, not "${text}"`)
  return { time }
}

function timeOf(text: string): number {
  const [, day = '', clock = 'T00:00', zone = 'Z'] = TIME.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // JavaScript turns 31 June into 1 July.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return isDay ? Date.parse(`${day}${clock}${zone}`) : Number.NaN
}
