import { requireNoRollout } from '../../compose/models/accepted-models.js'
import { withStores } from '../../compose/stores.js'
import { type LeftEvent, redactCreation, redactCreator } from '../../engine/erasure/redact.js'
import { RedactionError } from '../../engine/erasure/replace-words.js'
import { CreationId, CreatorId } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import { type Arguments, asCommandError, type Command, CommandError } from '../command-line.js'
import { withProgress } from '../progress.js'
import { table } from '../table.js'

export const redact: Command = {
  name: 'redact',
  summary: 'Remove the texts of a removed creator or creation from the event log, irrevocably.',
  usage: 'creator/ID | creation/ID',
  example: 'redact creator/u_7',
  needs: 'models',
  flags: {
    also: { type: 'string', help: 'of a creator: also the events at these positions, such as 12,15, which it has named as left' },
  },
  async run(args) {
    const { config, models, io } = args
    const [subject = ''] = args.positionals
    const { kind, id } = subjectOf(subject)
    const also = positionsOf(args)
    if (kind === 'creation' && also.length > 0) throw new CommandError('--also is for a creator: of a creation nothing is left')
    const done = await withStores(config, async ({ log, documents }) => {
      await requireNoRollout(documents)
      // Two passes: first for the removal and the creations of the creator, then for all events about them.
      return withProgress(io.stderr, 'redacting', (await log.bounds()).last * 2, (onProgress) => {
        if (kind === 'creation') return redactCreation(log, documents, models.projections, id, onProgress)
        return redactCreator(log, documents, models.projections, id, onProgress, also)
      })
    }).catch(asCommandError(RedactionError))
    const theirs = kind === 'creation' ? '' : `; ${plural(done.creations, 'creation was', 'creations were')} theirs`
    const files =
      config.MONGODB_URL === undefined
        ? []
        : ["MongoDB's own files keep deleted bytes until each member has begun again: see docs/erasure.md."]
    const text = `The words of ${subject} are gone from ${plural(done.events, 'event')}${theirs}.`
    args.answer(done, [text, ...leftText(done.left), ...files])
  },
}

function subjectOf(subject: string): { kind: 'creator' | 'creation'; id: string } {
  const [kind, ...rest] = subject.split('/')
  if (kind === 'creator' || kind === 'creation') {
    const id = (kind === 'creator' ? CreatorId : CreationId).safeParse(rest.join('/'))
    if (id.success) return { kind, id: id.data }
  }
  throw new CommandError('give one creator or creation, such as creator/u_7')
}

function positionsOf(args: Arguments): number[] {
  const written = args.flag('also')?.split(',') ?? []
  if (!written.every((position) => /^[1-9]\d{0,15}$/.test(position))) throw new CommandError('--also takes positions, such as 12,15')
  return written.map(Number)
}

function leftText(left: readonly LeftEvent[]): string[] {
  if (left.length === 0) return []
  const rows = left.map(({ position, subject, type }) => [String(position), subject, type ?? 'unreadable'])
  return [
    `Left, because nothing says whose words they hold: ${plural(left.length, 'event')} about others, unreadable or of an unknown type, with their id.`,
    ...table(['position', 'aggregate', 'type'], rows),
    `If they are theirs, repeat this with --also ${left.map(({ position }) => position).join(',')}`,
  ]
}
