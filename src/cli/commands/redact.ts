import { requireNoRollout } from '../../compose/models/accepted-models.js'
import { withStores } from '../../compose/stores.js'
import { type Erased, RedactionError, subjectOf } from '../../engine/erasure/check-erased.js'
import { type LeftEvent, redact as redactAll, removedCreators } from '../../engine/erasure/redact.js'
import { CreationId, CreatorId } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import { type Arguments, asCommandError, type Command, CommandError } from '../command-line.js'
import { withProgress } from '../progress.js'
import { table } from '../table.js'

export const redact: Command = {
  name: 'redact',
  summary: 'Remove the texts of removed creators or creations from the event log, irrevocably.',
  usage: 'creator/ID | creation/ID …',
  example: 'redact creator/u_7',
  needs: 'models',
  flags: {
    pending: { type: 'boolean', help: 'all creators whose removal is in the log' },
    also: { type: 'string', help: 'of one creator: also the events at these positions, such as 12,15, which it has named as left' },
  },
  async run(args) {
    const { config, models, io } = args
    const named = args.positionals.map(erasedIn)
    const isPending = args.has('pending')
    if (isPending ? named.length > 0 : named.length === 0) throw new CommandError(`${EXAMPLE}, or --pending without any`)
    const also = positionsOf(args)
    if (also.length > 0 && (named.length !== 1 || named[0]?.kind !== 'creator')) throw new CommandError('--also is for one creator')
    const done = await withStores(config, async ({ log, documents }) => {
      await requireNoRollout(documents)
      // Two passes: first for the removals and the creations of the creators, then for all events about them.
      const passes = isPending ? 3 : 2
      return withProgress(io.stderr, 'redacting', (await log.bounds()).last * passes, async (onProgress) => {
        const erased = isPending ? await removedCreators(log, models.events, onProgress) : named
        return redactAll(log, documents, models.projections, erased, onProgress, { also, asFarAsErased: isPending })
      })
    }).catch(asCommandError(RedactionError))
    const [only] = named
    const whose =
      only !== undefined && named.length === 1
        ? subjectOf(only)
        : plural(done.erased, 'erased creator or creation', 'erased creators and creations')
    const isOfCreators = named.every(({ kind }) => kind === 'creator')
    const theirs = isOfCreators ? `; ${plural(done.creations, 'creation was', 'creations were')} theirs` : ''
    const files =
      config.MONGODB_URL === undefined
        ? []
        : ["MongoDB's own files keep deleted bytes until each member has begun again: see docs/erasure.md."]
    const text = `The words of ${whose} are gone from ${plural(done.events, 'event')}${theirs}.`
    args.answer(done, [text, ...waitingText(done.waiting), ...leftText(done.left), ...files])
  },
}

const EXAMPLE = 'give creators or creations, such as creator/u_7'

function erasedIn(subject: string): Erased {
  const [kind, ...rest] = subject.split('/')
  if (kind === 'creator' || kind === 'creation') {
    const id = (kind === 'creator' ? CreatorId : CreationId).safeParse(rest.join('/'))
    if (id.success) return { kind, id: id.data }
  }
  throw new CommandError(`${EXAMPLE}, not "${subject}"`)
}

function positionsOf(args: Arguments): number[] {
  const written = args.flag('also')?.split(',') ?? []
  if (!written.every((position) => /^[1-9]\d{0,15}$/.test(position))) throw new CommandError('--also takes positions, such as 12,15')
  return written.map(Number)
}

const waitingText = (waiting: readonly string[]): string[] =>
  waiting.length === 0 ? [] : [`${plural(waiting.length, 'creator has', 'creators have')} to wait, first because ${waiting[0]}`]

function leftText(left: readonly LeftEvent[]): string[] {
  if (left.length === 0) return []
  const rows = left.map(({ position, subject, type }) => [String(position), subject, type ?? 'unreadable'])
  return [
    `Left, because nothing says whose words they hold: ${plural(left.length, 'event')} about others, unreadable or of an unknown type, with their id.`,
    ...table(['position', 'aggregate', 'type'], rows),
    `If they are theirs, repeat this with --also ${left.map(({ position }) => position).join(',')}`,
  ]
}
