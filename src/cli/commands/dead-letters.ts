import { withDocuments, withStores } from '../../compose/stores.js'
import { findParked, listParked, type ParkedDetails, type ParkedEvent } from '../../engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../engine/dead-letters/discards.js'
import type { Projection } from '../../engine/definition/projection.js'
import { isSetAside } from '../../engine/requests/orders.js'
import { indentedStack, plural } from '../../lib/message-text.js'
import { type Arguments, type Command, CommandError, countOrNull } from '../command-line.js'
import { oneProjection, projectionsNamed } from '../find-projections.js'
import { submitAndReport } from '../submit-request.js'
import { paragraphs, table } from '../table.js'

const ACTIONS = new Map(Object.entries({ list, show, replay, discard, discarded }))

export const deadLetters: Command = {
  name: 'dead-letters',
  summary: 'Events that could not be folded: list, show, replay, discard, discarded.',
  usage: 'list [NAME] | show NAME AGGREGATE | replay NAME|all [AGGREGATE] | discard NAME|all POSITION --reason TEXT | discarded [NAME]',
  example: 'dead-letters replay feed creation/c_81',
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

async function list({ config, models, answer }: Arguments, [name = 'all']: string[]): Promise<undefined> {
  const found = (await parkedNow(config, projectionsNamed(models, name))).flat()
  answer(found, listText(found))
}

function listText(found: readonly ParkedEvent[]): string | string[] {
  if (found.length === 0) return 'No dead letters.'
  const rows = found.map(({ projection, aggregate, position, since, message }) => [
    ...[projection, aggregate, String(position), new Date(since).toISOString()],
    message.length > 80 ? `${message.slice(0, 79)}…` : message,
  ])
  return paragraphs([table(['projection', 'aggregate', 'position', 'since', 'error'], rows), `${plural(found.length, 'dead letter')}.`])
}

async function show({ config, models, answer }: Arguments, [name, aggregate]: string[]): Promise<undefined> {
  if (aggregate === undefined) throw new CommandError('give a projection and an aggregate such as creation/c_81')
  const projection = oneProjection(models, name)
  const found = await withStores(config, ({ log, documents }) => findParked(documents, log, projection.name, aggregate))
  if (found === null) throw new CommandError(`${aggregate} has no dead letters in ${name}`)
  answer(found, detailText(found))
}

function detailText({ projection, aggregate, parked }: ParkedDetails): string[] {
  return [
    `${aggregate} has ${plural(parked.length, 'dead letter')} in ${projection}.`,
    ...parked.flatMap(({ position, since, message, stack, record }) => [
      '',
      `Position ${position}, since ${new Date(since).toISOString()}`,
      `Error: ${message}`,
      ...(stack === null ? [] : indentedStack(stack)),
      `Event: ${record === null ? 'the log no longer has it' : record.payload}`,
    ]),
  ]
}

/** Exit code 1 also if what was replayed still cannot be folded. */
async function replay(args: Arguments, [name, aggregate]: string[]): Promise<number> {
  const limit = countOrNull(args, 'limit')
  const asked = projectionsNamed(args.models, name)
  const chosen = (await parkedNow(args.config, asked)).flatMap((parked) => {
    const aggregates = new Set(parked.filter((each) => aggregate === undefined || each.aggregate === aggregate).map(keyOf))
    return [...aggregates].slice(0, limit ?? undefined)
  })
  if (aggregate !== undefined && chosen.length === 0) throw new CommandError(`${aggregate} has no dead letters in ${name}`)
  const code = await submitAndReport(args, asked, { kind: 'replay', aggregate: aggregate ?? null, limit })
  const left = new Set((await parkedNow(args.config, asked)).flat().map(keyOf))
  return chosen.some((key) => left.has(key)) ? 1 : code
}

const keyOf = ({ projection, aggregate }: ParkedEvent): string => `${projection} ${aggregate}`

const parkedNow = (config: Arguments['config'], asked: readonly Projection[]): Promise<ParkedEvent[][]> =>
  withDocuments(config, (documents) => Promise.all(asked.map(({ name }) => listParked(documents, name))))

async function discard(args: Arguments, [name, position]: string[]): Promise<number> {
  const reason = args.flag('reason')?.trim()
  if (reason === undefined || reason === '') throw new CommandError('say why with --reason: the decision is for good')
  if (position === undefined || !/^[1-9]\d{0,15}$/.test(position)) throw new CommandError('give a projection and the position of an event')
  const order = { kind: 'discard' as const, position: Number(position), reason, folded: args.has('folded') }
  const asked = projectionsNamed(args.models, name)
  const concerned = order.folded || asked.length === 1 ? asked : await whereSetAside(args.config, asked, order.position)
  // None of them: they say why.
  return submitAndReport(args, concerned.length === 0 ? asked : concerned, order)
}

/** An event that one model cannot fold may be a good one for the others. */
const whereSetAside = (config: Arguments['config'], asked: readonly Projection[], position: number): Promise<Projection[]> =>
  withDocuments(config, async (documents) => {
    const found = await Promise.all(asked.map((projection) => isSetAside(documents, projection, position)))
    return asked.filter((_, i) => found[i])
  })

/** What was decided, for good, and why. */
async function discarded({ config, models, answer }: Arguments, [name = 'all']: string[]): Promise<undefined> {
  const asked = projectionsNamed(models, name)
  const discards = await withDocuments(config, (documents) =>
    Promise.all(asked.map((projection) => listDiscards(documents, projection.name))),
  )
  const found = discards.flat()
  const rows = found.map(({ projection, position, at, reason }) => [projection, String(position), new Date(at).toISOString(), reason])
  answer(found, found.length === 0 ? 'Nothing was discarded.' : table(['projection', 'position', 'when', 'reason'], rows))
}
