import type { Order } from '../../engine/requests/request-store.js'
import { acceptLog } from '../accept-log.js'
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
