import { withScratchStore, withStores } from '../../compose/stores.js'
import type { Projection } from '../../engine/definition/projection.js'
import type { Difference, Discrepancy } from '../../engine/replay/compare-documents.js'
import { explainBesideModel } from '../../engine/replay/explain.js'
import { ModelBusyError, VersionMismatchError } from '../../engine/replay/shadow-replay.js'
import { type Verification, type VerifyOptions, verify as verifyOne } from '../../engine/replay/verify.js'
import { plural } from '../../lib/message-text.js'
import { ModelUnavailableError } from '../../ports/document-store.js'
import { type Arguments, type Command, CommandError } from '../command-line.js'
import { aggregateOf } from '../find-aggregate.js'
import { projectionsOf } from '../find-projections.js'
import type { Io } from '../io.js'
import { Progress } from '../progress.js'
import { submitAndWait } from '../submit-request.js'

/** How many documents are printed, and how many fields of each; the JSON has more. */
const SHOWN = 20
/** A model in use may change before the repair reaches it. */
const REPAIR_ROUNDS = 3

export const verify: Command = {
  name: 'verify',
  summary: 'Replay the log beside a live model and compare every document. Exit code 1 if any differs.',
  usage: 'NAME|all',
  example: 'verify feed --sample 0.1',
  needs: 'models',
  flags: {
    of: { type: 'string', help: 'compare only the document of one creation, creator or other aggregate, named as for "explain"' },
    sample: { type: 'string', help: 'compare only this share of the documents, such as 0.1' },
    repair: { type: 'boolean', help: 'have the leader rewrite what differs, and compare again' },
  },
  async run(args) {
    const { io } = args
    const chosen = projectionsOf(args)
    const aggregate = args.flag('of')
    const whole = ['repair', 'sample'].find((flag) => args.has(flag) || args.flag(flag) !== undefined)
    if (aggregate !== undefined && whole !== undefined) throw new CommandError(`--${whole} is for whole models: leave out --of`)
    if (aggregate !== undefined) return verifyOneOf(args, chosen, aggregate)
    const sample = sampleOf(args)
    return withStores(args.config, async ({ log, documents: store }) => {
      const verifications: Verification[] = []
      for (const projection of chosen) {
        for (let round = 1; ; round++) {
          const verification = await verifyWithProgress({ projection, log, store, sample }, io)
          if (!args.json) io.print(show(verification))
          verifications.push(verification)
          if (!args.has('repair') || verification.differing === 0 || round > REPAIR_ROUNDS) break
          await repair(args, projection, verification)
          // What has been repaired is not the outcome.
          verifications.pop()
        }
      }
      if (args.json) io.print(JSON.stringify({ verifications: verifications.map(toJson) }))
      return verifications.every(isClean) ? 0 : 1
    })
  },
}

/** By the events that have to do with it, however long the log is. */
async function verifyOneOf(args: Arguments, chosen: readonly Projection[], aggregate: string): Promise<number> {
  const { kind, id } = await aggregateOf(args, aggregate)
  const verified = await withStores(args.config, async ({ log, documents: store }) => {
    const found: { projection: string; document: string; differing: Difference[] }[] = []
    for (const projection of chosen.filter(({ state }) => state[kind] !== undefined)) {
      const options = { projection, kind, id, log, store }
      const { collection, differing } = (await withScratchStore((scratch) => explainBesideModel({ ...options, scratch }))) ?? {}
      if (!differing)
        throw new CommandError(
          `${projection.name} cannot be compared now: there is no live model of this version, it cannot be read, or an event changes many documents`,
        )
      found.push({ projection: projection.name, document: `${collection}/${id}`, differing })
    }
    return found
  })
  if (verified.length === 0) throw new CommandError(`${chosen.map(({ name }) => name).join(', ')} keeps nothing of a ${kind}`)
  const lines = verified.flatMap(({ projection, document, differing }) => [
    `${projection}, ${document}: ${differing.length === 0 ? 'as the log says.' : 'differs.'}`,
    ...differing.map(showDifference),
    ...(differing.length === 0
      ? []
      : [`  Events of others that nothing refers to may be the cause: "vitrine verify ${projection}" reads them all.`]),
  ])
  args.answer({ aggregate: `${kind}/${id}`, verified }, lines)
  return verified.some(({ differing }) => differing.length > 0) ? 1 : 0
}

const isClean = ({ differing, indexes }: Verification): boolean => differing === 0 && indexes.length === 0

async function verifyWithProgress(options: Omit<VerifyOptions, 'scratch'>, { stderr }: Io): Promise<Verification> {
  const { name } = options.projection
  const { last } = await options.log.bounds()
  const folding = new Progress(stderr, `replaying ${name}`, last)
  const comparing = new Progress(stderr, `comparing ${name}`, null)
  const listeners = {
    onFolded: (events: number) => folding.advance(events),
    onCompared: (docs: number) => comparing.advance(docs),
  }
  try {
    return await withScratchStore((scratch) => verifyOne({ ...options, scratch, ...listeners }))
  } catch (error) {
    if (error instanceof ModelUnavailableError)
      throw new CommandError(`there is no ${name} model yet: "vitrine serve" builds it from the log`)
    if (error instanceof VersionMismatchError || error instanceof ModelBusyError) throw new CommandError(error.message)
    throw error
  } finally {
    folding.end()
    comparing.end()
  }
}

/** One request must fit into a document of any store. */
const REPAIRED_AT_ONCE = 100

async function repair(args: Arguments, projection: Projection, { discrepancies }: Verification): Promise<void> {
  // Unreadable documents first: others may be derived from them.
  const inOrder = discrepancies.toSorted((a, b) => Number(b.kind === 'unreadable') - Number(a.kind === 'unreadable'))
  for (let i = 0; i < inOrder.length; i += REPAIRED_AT_ONCE) {
    const documents = inOrder.slice(i, i + REPAIRED_AT_ONCE).map(({ collection, id, kind, stored, replayed }) => ({
      collection: collection.name,
      id,
      found: stored === null ? null : { ...stored },
      ...(kind === 'unreadable' ? { unreadable: true } : {}),
      right: replayed === null ? null : { ...replayed },
    }))
    const [request] = await submitAndWait(args, [projection], { kind: 'repair', documents })
    if (request?.state !== 'done')
      throw new CommandError(`cannot repair ${projection.name}: ${request?.outcome ?? 'the request was not carried out'}`)
    if (!args.json) args.io.print(`${projection.name}: ${request.outcome}`)
  }
}

function sampleOf(args: Arguments): number {
  const text = args.flag('sample') ?? '1'
  const sample = Number(text)
  if (!(sample > 0 && sample <= 1)) throw new CommandError(`--sample must be a share between 0 and 1, not "${text}"`)
  return sample
}

const toJson = (verification: Verification) => ({
  ...verification,
  discrepancies: verification.discrepancies.map(({ collection, id, kind, fields, reason }) => ({
    ...{ collection: collection.name, id, kind, fields },
    ...(reason === null ? {} : { reason }),
  })),
})

function show(verification: Verification): string[] {
  const { projection, indexes } = verification
  const remedy = indexes.length > 0 ? [`  "vitrine rebuild ${projection}" builds its indexes anew.`] : []
  return [...showDocuments(verification), ...indexes.map(showIndex), ...remedy]
}

function showIndex({ collection, index, wrong, such }: Verification['indexes'][number]): string {
  return `  ${collection}, index ${index}: ${plural(wrong, 'entry is', 'entries are')} not as the documents say, such as ${such.join(', ')}`
}

function showDocuments({
  projection,
  generation,
  position,
  compared,
  differing,
  discrepancies,
  parked,
  discarded,
}: Verification): string[] {
  const documents = Object.values(compared).reduce((sum, count) => sum + count, 0)
  const aside = [parked > 0 && `${plural(parked, 'event')} parked`, discarded > 0 && `${discarded} discarded`].filter((part) => part)
  const head = `${projection}, generation ${generation}, position ${position}: ${plural(documents, 'document')} compared${aside.length > 0 ? ` (${aside.join(', ')}, taken into account)` : ''}`
  if (differing === 0) return [`${head}, none differs.`]
  const listed = differing > discrepancies.length ? `the first ${discrepancies.length}` : 'them all'
  const rest = differing > SHOWN ? [`  … and ${differing - SHOWN} more: --json has ${listed}`] : []
  return [`${head}, ${plural(differing, 'differs', 'differ')}:`, ...discrepancies.slice(0, SHOWN).flatMap(showOne), ...rest]
}

function showOne({ collection, id, kind, fields, reason, replayed }: Discrepancy): string[] {
  const head = `  ${collection.name}/${id}`
  if (kind === 'missing') return [`${head}: missing from the model`]
  if (kind === 'surplus') return [`${head}: no event accounts for it`]
  if (kind === 'unreadable') {
    const right = replayed === null ? 'no event accounts for it' : `by the log it is ${showValue(replayed)}`
    return [`${head}: cannot be read (${reason ?? ''})`, `      ${right}`]
  }
  const rest = fields.length > SHOWN ? [`      … and ${plural(fields.length - SHOWN, 'more field')}: --json has them all`] : []
  return [head, ...fields.slice(0, SHOWN).map(showDifference), ...rest]
}

const showDifference = ({ path, left, right }: Difference): string =>
  `      ${path === '' ? 'the document' : path}: ${showValue(left)} in the model, ${showValue(right)} by the log`

const showValue = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
