import { projections } from '../../projections/index.js'
import { type ParkedAggregate, type ParkedInFull, parkedIn, parkedInFull } from '../projector/letter-book.js'
import { openDocuments, openLog } from '../stores.js'
import { ask } from './asking.js'
import { type Arguments, type Command, UsageError, wholeNumber } from './command.js'
import { projectionsCalled } from './projections-called.js'
import { table } from './table.js'

export const deadLetters: Command = {
  name: 'dead-letters',
  summary: 'Events that could not be folded, and what waits behind them: list, show, replay, discard.',
  usage: 'list [NAME] | show NAME AGGREGATE | replay NAME|all [AGGREGATE] | discard NAME POSITION --reason TEXT',
  flags: {
    limit: { type: 'string', help: 'replay: only so many aggregates, the oldest first' },
    reason: { type: 'string', help: 'discard: why this event is to count as if it had never been' },
  },
  run(args) {
    const [action = 'list', ...rest] = args.positionals
    switch (action) {
      case 'list':
        return list(args, rest)
      case 'show':
        return show(args, rest)
      case 'replay':
        return replay(args, rest)
      case 'discard':
        return discard(args, rest)
      default:
        throw new UsageError(`"${action}" is none of list, show, replay, discard`)
    }
  },
}

async function list({ config, json }: Arguments, [name = 'all']: string[]): Promise<number> {
  const documents = await openDocuments(config)
  try {
    const found: ParkedAggregate[] = []
    for (const projection of projectionsCalled(name)) found.push(...(await parkedIn(documents, projection.name)))
    console.log(json ? JSON.stringify(found) : lines(found))
    return 0
  } finally {
    await documents.close()
  }
}

function lines(found: readonly ParkedAggregate[]): string {
  if (found.length === 0) return 'Nothing is parked.'
  const rows = found.map(({ projection, aggregate, position, waiting, since, message }) => [
    projection,
    aggregate,
    String(position),
    String(waiting),
    new Date(since).toISOString(),
    message.length > 80 ? `${message.slice(0, 79)}…` : message,
  ])
  const waiting = found.reduce((sum, each) => sum + each.waiting, 0)
  const total = `${found.length} parked, ${waiting} events waiting behind them.`
  return `${table(['projection', 'aggregate', 'position', 'waiting', 'since', 'error'], rows)}\n\n${total}`
}

async function show({ config, json }: Arguments, [name, aggregate]: string[]): Promise<number> {
  if (aggregate === undefined) throw new UsageError('give a projection and an aggregate such as creation/c_81')
  const log = await openLog(config)
  const documents = await openDocuments(config)
  try {
    const [projection] = projectionsCalled(name)
    const found = projection === undefined ? null : await parkedInFull(documents, log, projection.name, aggregate)
    if (found === null) throw new UsageError(`${aggregate} is not parked in ${name}`)
    console.log(json ? JSON.stringify(found) : inFull(found))
    return 0
  } finally {
    await documents.close()
    await log.close()
  }
}

function inFull({ projection, aggregate, position, since, message, stack, record, behind }: ParkedInFull): string {
  const waiting = behind.map((each) => `  position ${each.position}, event ${each.eventId}, ${new Date(each.since).toISOString()}`)
  return [
    `${aggregate} is parked in ${projection} at position ${position}, since ${new Date(since).toISOString()}.`,
    `\nError: ${message}${stack === null ? '' : `\n${stack}`}`,
    `\nEvent: ${record === null ? 'the log no longer has it' : record.payload}`,
    `\n${behind.length} events wait behind it${behind.length === 0 ? '.' : ':'}`,
    ...waiting,
  ].join('\n')
}

function replay(args: Arguments, [name, aggregate]: string[]): Promise<number> {
  const limit = args.flag('limit') === undefined ? null : wholeNumber(args, 'limit', 0)
  return ask(args.config, projectionsCalled(name), { kind: 'replay', aggregate: aggregate ?? null, limit }, args.json)
}

function discard(args: Arguments, [name, position]: string[]): Promise<number> {
  const reason = args.flag('reason')?.trim()
  if (reason === undefined || reason === '') throw new UsageError('say why with --reason: the decision is for good')
  if (position === undefined || !/^[1-9]\d{0,15}$/.test(position)) throw new UsageError('give a projection and the position of an event')
  if (name === 'all' || !projections.some((projection) => projection.name === name)) projectionsCalled(undefined)
  return ask(args.config, projectionsCalled(name), { kind: 'discard', position: Number(position), reason }, args.json)
}
