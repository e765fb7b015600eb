import { requireNoRollout } from '../../compose/models/accepted-models.js'
import { withStores } from '../../compose/stores.js'
import { RedactionError } from '../../engine/erasure/check-erased.js'
import { redactCreator } from '../../engine/erasure/redact-creator.js'
import { CreatorId } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import { asCommandError, type Command, CommandError } from '../command-line.js'
import { withProgress } from '../progress.js'

export const redact: Command = {
  name: 'redact',
  summary: 'Remove the texts of a removed creator from the event log, irrevocably.',
  usage: 'creator/ID',
  example: 'redact creator/u_7',
  needs: 'models',
  async run({ config, models, positionals: [subject = '', ...more], json, io }) {
    const id = subject.startsWith('creator/') && more.length === 0 ? CreatorId.safeParse(subject.slice('creator/'.length)) : null
    if (id?.success !== true) throw new CommandError('give one creator, such as creator/u_7')
    const done = await withStores(config, async ({ log, documents }) => {
      await requireNoRollout(documents)
      // Two passes: first for the creations of the creator, then for all events about them.
      return withProgress(io.stderr, 'redacting', (await log.bounds()).last * 2, (progress) =>
        redactCreator(log, documents, models.projections, id.data, (events) => progress.advance(events)),
      )
    }).catch(asCommandError(RedactionError))
    const text = `The words of ${subject} are gone from ${plural(done.events, 'event')}; ${plural(done.creations, 'creation was', 'creations were')} theirs.`
    const files =
      config.MONGODB_URL === undefined
        ? []
        : ["MongoDB's own files keep deleted bytes until each member has begun again: see docs/erasure.md."]
    io.print(json ? JSON.stringify(done) : [text, ...files])
    return 0
  },
}
