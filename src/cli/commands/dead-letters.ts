import { withDocuments, withStores } from '../../compose/stores.js'
import { findParked, listParked, type ParkedAggregate, type ParkedDetails } from '../../engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../engine/dead-letters/discards.js'
import type { Projection } from '../../engine/definition/projection.js'
import { plural } from '../../lib/message-text.js'
import { type Arguments, type Command, CommandError, countOrNull } from '../command-line.js'
import { projectionsNamed } from '../find-projections.js'
import { submitAndReport } from '../submit-request.js'
import { maskControlCharacters, table } from '../table.js'

export const deadLetters: Command = {
  name: 'dead-letters',
  summary: 'Events that could not be folded, and what waits behind them: list, show, replay, discard, discarded.',
  usage: 'list [NAME] | show NAME AGGREGATE | replay NAME|all [AGGREGATE] | discard NAME POSITION --reason TEXT | discarded [NAME]',
  needs: 'models',
  flags: {
    limit: { type: 'string', help: 'replay: at most this many aggregates, the oldest first' },
    reason: { type: 'string', help: 'discard: why this event is ignored from now on' },
    folded: { type: 'boolean', help: 'discard: also an event that was folded well; the next rebuild leaves it out' },
  },
  run(args) {
    const [name = 'list', ...rest] = args.positionals
    const action = ACTIONS.get(name)
    if (action === undefined) throw new CommandError(`"${name}" is none of ${[...ACTIONS.keys()].join(', ')}`)
    return action(args, rest)
  },
}

const ACTIONS = new Map(Object.entries({ list, show, replay, discard, discarded }))

async function list({ config, json, io }: Arguments, [name = 'all', ...more]: string[]): Promise<number> {
  rejectExtraArguments(more)
  const found = (await parkedNow(config, projectionsNamed(name))).flat()
  io.print(json ? JSON.stringify(found) : listText(found))
  return 0
}

function listText(found: readonly ParkedAggregate[]): string {
  if (found.length === 0) return 'Nothing is parked.'
  const rows = found.map(({ projection, aggregate, position, waiting, since, message }) => [
    ...[projection, aggregate, String(position), String(waiting), new Date(since).toISOString()],
    message.length > 80 ? `${message.slice(0, 79)}…` : message,
  ])
  const waiting = found.reduce((sum, each) => sum + each.waiting, 0)
  const total = `${found.length} parked, ${plural(waiting, 'event')} waiting behind.`
  return `${table(['projection', 'aggregate', 'position', 'waiting', 'since', 'error'], rows)}\n\n${total}`
}

async function show({ config, json, io }: Arguments, [name, aggregate, ...more]: string[]): Promise<number> {
  if (aggregate === undefined) throw new CommandError('give a projection and an aggregate such as creation/c_81')
  rejectExtraArguments(more)
  const projection = oneProjection(name)
  const found = await withStores(config, ({ log, documents }) => findParked(documents, log, projection.name, aggregate))
  if (found === null) throw new CommandError(`${aggregate} is not parked in ${name}`)
  io.print(json ? JSON.stringify(found) : detailText(found))
  return 0
}

function detailText({ projection, aggregate, position, since, message, stack, record, behind }: ParkedDetails): string {
  const waiting = behind.map((each) => `  position ${each.position}, event ${each.eventId}, ${new Date(each.since).toISOString()}`)
  const text = [
    `${aggregate} is parked in ${projection} at position ${position}, since ${new Date(since).toISOString()}.`,
    `\nError: ${message}${stack === null ? '' : `\n${stack}`}`,
    `\nEvent: ${record === null ? 'the log no longer has it' : record.payload}`,
    `\n${plural(behind.length, 'event waits', 'events wait')} behind it${behind.length === 0 ? '.' : ':'}`,
    ...waiting,
  ]
  return text.join('\n').split('\n').map(maskControlCharacters).join('\n')
}

/** Exit code 1 also if what was replayed is parked again. */
async function replay(args: Arguments, [name, aggregate, ...more]: string[]): Promise<number> {
  rejectExtraArguments(more)
  const limit = countOrNull(args, 'limit')
  const asked = projectionsNamed(name)
  const parked = (await parkedNow(args.config, asked)).map((all) =>
    all.filter((each) => aggregate === undefined || each.aggregate === aggregate).slice(0, limit ?? undefined),
  )
  if (aggregate !== undefined && parked.flat().length === 0) throw new CommandError(`${aggregate} is not parked in ${name}`)
  const code = await submitAndReport(args, asked, { kind: 'replay', aggregate: aggregate ?? null, limit })
  const left = new Set((await parkedNow(args.config, asked)).flat().map(keyOf))
  return parked.flat().some((each) => left.has(keyOf(each))) ? 1 : code
}

const keyOf = ({ projection, aggregate }: ParkedAggregate): string => `${projection} ${aggregate}`

const parkedNow = (config: Arguments['config'], asked: readonly Projection[]): Promise<ParkedAggregate[][]> =>
  withDocuments(config, (documents) => Promise.all(asked.map(({ name }) => listParked(documents, name))))

function discard(args: Arguments, [name, position, ...more]: string[]): Promise<number> {
  rejectExtraArguments(more)
  const reason = args.flag('reason')?.trim()
  if (reason === undefined || reason === '') throw new CommandError('say why with --reason: the decision is for good')
  if (position === undefined || !/^[1-9]\d{0,15}$/.test(position)) throw new CommandError('give a projection and the position of an event')
  const order = { kind: 'discard' as const, position: Number(position), reason, folded: args.has('folded') }
  return submitAndReport(args, [oneProjection(name)], order)
}

/** What was decided, for good, and why. */
async function discarded({ config, json, io }: Arguments, [name = 'all', ...more]: string[]): Promise<number> {
  rejectExtraArguments(more)
  const asked = projectionsNamed(name)
  const discards = await withDocuments(config, (documents) =>
    Promise.all(asked.map((projection) => listDiscards(documents, projection.name))),
  )
  const found = discards.flat()
  const rows = found.map(({ projection, position, at, reason }) => [projection, String(position), new Date(at).toISOString(), reason])
  const text = found.length === 0 ? 'Nothing was discarded.' : table(['projection', 'position', 'when', 'reason'], rows)
  io.print(json ? JSON.stringify(found) : text)
  return 0
}

/** One, not all of them. */
function oneProjection(name: string | undefined): Projection {
  const [found, another] = projectionsNamed(name)
  if (found === undefined || another !== undefined) throw new CommandError('name a projection, one at a time')
  return found
}

function rejectExtraArguments([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw new CommandError(`"${surplus}" is one word too many.`)
}
