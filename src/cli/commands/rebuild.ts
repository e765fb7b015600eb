import { withStores } from '../../compose/stores.js'
import { dropForeignDiscards } from '../../engine/dead-letters/discards.js'
import { findLostRemovals } from '../../engine/erasure/missing-removals.js'
import { foreignModels } from '../../engine/fold/log-identity.js'
import { LogReader } from '../../engine/fold/log-reader.js'
import type { KnownRemoval } from '../../engine/generations/kept-removals.js'
import type { Order } from '../../engine/requests/request-store.js'
import { versionedType } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { NewRecord } from '../../ports/event-log.js'
import { type Arguments, type Command, CommandError, countOrNull } from '../command-line.js'
import { projectionsOf } from '../find-projections.js'
import { submitAndReport } from '../submit-request.js'

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'Rebuild a model beside the live one, and switch readers over once it has caught up.',
  usage: 'NAME|all',
  example: 'rebuild feed --max-rate 5000',
  needs: 'models',
  flags: {
    'max-rate': { type: 'string', help: 'events per second at most' },
    abort: { type: 'boolean', help: 'stop the running rebuild and remove its result' },
    rollback: { type: 'boolean', help: 'return to the generation that was live before' },
    'accept-log': { type: 'boolean', help: 'with "all": also from a log that came back older, or from another one' },
    'publish-removals': { type: 'boolean', help: 'with --accept-log: publish the removals that this log lacks' },
  },
  async run(args) {
    if (args.has('accept-log')) {
      if (args.positionals.join(' ') !== 'all' || args.has('abort') || args.has('rollback'))
        throw new CommandError('--accept-log is for "rebuild all": models of two logs contradict each other')
      return acceptLog(args)
    }
    if (args.has('publish-removals')) throw new CommandError('--publish-removals needs --accept-log')
    return submitAndReport(args, projectionsOf(args), orderOf(args))
  },
}

function orderOf(args: Arguments): Order {
  if (args.has('abort') && args.has('rollback')) throw new CommandError('--abort and --rollback exclude each other')
  if (args.has('abort')) return { kind: 'abort' }
  if (args.has('rollback')) return { kind: 'rollback' }
  return { kind: 'rebuild', maxRate: countOrNull(args, 'max-rate') }
}

/** Aggregates on a terminal; the JSON has more. */
const SHOWN = 20

/** From a log that came back older, or from another one: goes on only if everything that is removed stays removed. */
async function acceptLog(given: Arguments): Promise<number> {
  // A mistyped stream must not be made, and taken for the log.
  const args = { ...given, config: { ...given.config, NATS_CREATE: false } }
  const { io, json, models, answer } = args
  const publish = args.has('publish-removals')
  const { foreign, removals } = await withStores(args.config, async ({ log, documents }) => {
    if ((await log.bounds()).last === 0) throw new CommandError('the log is empty: connect the right one (NATS_URL, NATS_STREAM, DATA_DIR)')
    const foreignTo = await foreignModels(documents, new LogReader(log, models.events))
    const foreign = models.projections.filter(({ name }) => foreignTo.has(name))
    const removals = (await findLostRemovals(log, documents, models.projections)).map(removalEvent)
    if (removals.length > 0 && !json) io.warn(describeRemovals(removals, publish))
    if (removals.length > 0 && !publish) return { foreign: [], removals }
    if (removals.length > 0) await log.append(removals)
    const discards = foreign.length === 0 ? [] : await dropForeignDiscards(documents, log)
    for (const { projection, position, reason } of discards)
      io.warn(`The discard of position ${position} in ${projection} was of the former log and is gone: ${reason}`)
    return { foreign, removals }
  })
  if (removals.length > 0 && !publish) {
    answer(
      { removals },
      removals.map(({ payload }) => payload),
    )
    return 1
  }
  if (foreign.length === 0 && !json) io.print('No model was built from another log.')
  const order = { kind: 'rebuild', maxRate: countOrNull(args, 'max-rate'), acceptLog: true } as const
  return submitAndReport(args, foreign, order, { removals })
}

function describeRemovals(removals: readonly NewRecord[], publish: boolean): string[] {
  const named = removals.slice(0, SHOWN).map(({ subject }) => subject)
  const names = `${named.join(', ')}${removals.length > SHOWN ? ', …' : ''}`
  if (publish) return [`${plural(removals.length, 'removal is', 'removals are')} published again: ${names}`]
  return [
    `This log lacks ${plural(removals.length, 'removal')} that the models know: ${names}`,
    'Nothing was changed: from this log they would be public again. Have these events published, or add --publish-removals:',
  ]
}

/** Its id follows from the aggregate, so publishing it twice is harmless. */
function removalEvent({ aggregate, sequence }: KnownRemoval): NewRecord {
  const [kind, key] = aggregate.split('/')
  const isCreator = kind === 'creator'
  const id = `removed again: ${aggregate}`
  const event = {
    ...{ specversion: '1.0', id, source: 'vitrine', subject: aggregate, time: new Date().toISOString(), sequence },
    type: versionedType(isCreator ? 'creator.removed' : 'creation.removed'),
    data: isCreator ? { creatorId: key } : { creationId: key },
  }
  return { id, subject: aggregate, payload: JSON.stringify(event) }
}
