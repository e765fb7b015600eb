import { withScratchStore, withStores } from '../../compose/stores.js'
import type { Projection } from '../../engine/definition/projection.js'
import { type Explanation, explain as explainOne, type HistoryEntry } from '../../engine/replay/explain.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import { AGGREGATE_USAGE, aggregateOf } from '../find-aggregate.js'
import { projectionsNamed } from '../find-projections.js'
import { withProgress } from '../progress.js'
import { paragraphs } from '../table.js'

export const explain: Command = {
  name: 'explain',
  summary: 'Print the history of one document: each event, what it changed, and how it stands now.',
  usage: AGGREGATE_USAGE,
  example: 'explain haeunoh/tide-dial --projection feed',
  needs: 'log',
  flags: {
    projection: { type: 'string', help: 'in one projection only; default: all that have it' },
    'whole-log': { type: 'boolean', help: 'read all of the log, not only the events that have to do with it' },
  },
  async run(args) {
    const { kind, id } = await aggregateOf(args, args.positionals[0] ?? '')
    const only = args.flag('projection')
    const asked = projectionsNamed(args.models, only ?? 'all').filter((candidate) => candidate.state[kind] !== undefined)
    if (asked.length === 0) throw new CommandError(`${only} keeps nothing of a ${kind}`)
    const explanations = await explainAll(args, asked, kind, id)
    const known = explanations.filter(({ steps, document }) => steps.length > 0 || document !== null)
    const text = known.length === 0 ? `No event of the log speaks of ${kind}/${id}.` : paragraphs(known.map(show))
    args.answer({ aggregate: `${kind}/${id}`, projections: known }, text)
    return known.length === 0 ? 1 : 0
  },
}

const explainAll = (args: Arguments, asked: readonly Projection[], kind: string, id: string) =>
  withStores(args.config, async ({ log, documents: store }) => {
    const explanations: Explanation[] = []
    const wholeLog = args.has('whole-log')
    const explainEach = async (onProgress?: (events: number) => void) => {
      for (const projection of asked) {
        const found = await withScratchStore((scratch) => explainOne({ projection, kind, id, log, store, scratch, wholeLog, onProgress }))
        if (found !== null) explanations.push(found)
      }
    }
    if (wholeLog) await withProgress(args.io.stderr, 'reading', (await log.bounds()).last * asked.length, explainEach)
    else await explainEach()
    return explanations
  })

function show({ projection, collection, id, steps, document, differing }: Explanation): string[] {
  const differs = (differing ?? []).map(
    ({ path, left, right }) => `   ${path === '' ? 'document' : path}: ${brief(left)} in the model, ${brief(right)} by these events`,
  )
  const warning =
    differs.length === 0 ? [] : ['── the live document differs: "--whole-log" tells whether other events are the cause', ...differs]
  const now = document === null ? ['There is no such document.'] : JSON.stringify(document, null, 2).split('\n')
  return [`── ${projection}: ${collection}/${id}`, ...steps.flatMap(showStep), '── now', ...now, ...warning]
}

function showStep({ position, appendedAt, type, subject, sequence, changes, note }: HistoryEntry): string[] {
  const event = [
    type ?? 'unreadable',
    subject,
    ...(sequence === null ? [] : [`sequence ${sequence}`]),
    ...(note === null ? [] : [`(${note})`]),
  ]
  const head = `${String(position).padStart(9)}  ${new Date(appendedAt).toISOString()}  ${event.join('  ')}`
  const changed = changes.map(({ path, left, right }) => `${path === '' ? 'document' : path}: ${brief(left)} → ${brief(right)}`)
  return [head, ...(changed.length === 0 ? ['changed nothing'] : changed).map((line) => `             ${line}`)]
}

/** A whole document in one line would hide the rest. */
function brief(value: unknown): string {
  if (value === undefined) return '(nothing)'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
