import { acceptedSets, acceptModels, describeSet, type StoredSet } from '../../compose/models/accepted-models.js'
import { editedDeclarations } from '../../compose/models/edited-declarations.js'
import { withDocuments } from '../../compose/stores.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import { hasModels } from '../require-data.js'
import { paragraphs, table } from '../table.js'

export const models: Command = {
  name: 'models',
  summary: 'List the models of this configuration, or accept a change of your own ones: accept.',
  usage: '[accept]',
  example: 'models accept --beside',
  models: 'declared',
  flags: { beside: { type: 'boolean', help: 'accept: those accepted before stay so, until a change is rolled out everywhere' } },
  run(args) {
    const [action] = args.positionals
    if (action !== undefined && action !== 'accept') throw new CommandError('say "accept", or nothing')
    if (args.has('beside') && action === undefined) throw new CommandError('--beside belongs to "models accept"')
    return action === undefined ? list(args) : accept(args)
  },
}

async function list({ config, models: set, answer }: Arguments): Promise<number> {
  const mine = describeSet(set)
  const [accepted, edited] = hasModels(config)
    ? await withDocuments(config, async (documents) => [await acceptedSets(documents), await editedDeclarations(documents, set)] as const)
    : [null, []]
  const warnings = [...edited.map((each) => `${each}: raise it, or "vitrine rebuild" builds it anew.`), ...unhandled(set)]
  const isAccepted = accepted === null || accepted.some(({ fingerprint }) => fingerprint === mine.fingerprint)
  const models = set.projections.map(({ name, version }) => ({ name, version, reads: readsOf(name, set.reads) }))
  const rows = models.map(({ name, version, reads }) => [name, `v${version}`, mine.models.includes(name) ? 'custom' : '', reads.join(', ')])
  const text = paragraphs([table(['model', 'version', '', 'reads'], rows), stand(mine, accepted, isAccepted), warnings])
  answer({ models, own: mine, accepted: accepted ?? [], isAccepted, warnings }, text)
  return isAccepted ? 0 : 1
}

/** Event types that no model says anything of: perhaps a name was forgotten in `on`. */
const unhandled = ({ own }: Arguments['models']): string[] =>
  own.flatMap(({ events, models }) =>
    events
      .filter(({ name }) => !models.some(({ projection }) => name in projection.on))
      .map(({ name }) => `No model handles "${name}": its events change nothing.`),
  )

const readsOf = (model: string, reads: Arguments['models']['reads']): string[] =>
  reads.filter(({ models }) => models.includes(model)).map(({ name }) => name)

function stand({ fingerprint, events }: StoredSet, accepted: readonly StoredSet[] | null, isAccepted: boolean): string[] {
  const own = events.length === 0 ? 'No event types of your own.' : `Custom event types: ${events.join(', ')}.`
  if (!isAccepted) return [own, `This set (${fingerprint}) is not accepted: "vitrine models accept".`]
  return accepted !== null && accepted.length > 1 ? [own, `A change is being rolled out: ${accepted.length} sets are accepted.`] : [own]
}

async function accept({ config, models: set, has, answer }: Arguments): Promise<undefined> {
  const { accepted, dropped } = await withDocuments(config, (documents) => acceptModels(documents, set, { beside: has('beside') }))
  answer({ accepted, dropped }, [
    ...(dropped.length > 0 ? [`Dropped with all their generations: ${dropped.join(', ')}.`] : []),
    accepted.length > 1
      ? `Accepted beside the former one. When every process has these models: "vitrine models accept".`
      : 'Accepted. Processes with other models no longer start, and those that run gain no lead: stop them.',
  ])
}
