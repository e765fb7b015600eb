import { projections } from '../../projections/index.js'
import { openDocuments, openLog, withScratch } from '../app.js'
import type { Discrepancy } from '../projector/replay/compare.js'
import { type Verification, verify as verifyOne } from '../projector/replay/verify.js'
import { type Arguments, type Command, UsageError } from './command.js'
import { projectionNamed } from './own-projection.js'
import { Progress } from './progress.js'

/** Differences printed in full; all of them are in the JSON. */
const SHOWN = 20

export const verify: Command = {
  name: 'verify',
  summary: 'Replay the log beside a live model and compare every document. Exit code 1 if any differs.',
  usage: 'NAME|all',
  flags: { sample: { type: 'string', help: 'compare only this share of the documents, such as 0.1' } },
  async run(args) {
    const [name, surplus] = args.positionals
    if (name === undefined || surplus !== undefined) throw new UsageError('name one projection, or "all"')
    const sample = sampleOf(args)
    const log = await openLog(args.config)
    const store = await openDocuments(args.config)
    try {
      const verifications: Verification[] = []
      for (const projection of name === 'all' ? projections : [projectionNamed(name)]) {
        const folding = new Progress(`replaying ${projection.name}`, (await log.bounds()).last)
        const comparing = new Progress(`comparing ${projection.name}`, null)
        const told = { folding: (events: number) => folding.advance(events), comparing: (docs: number) => comparing.advance(docs) }
        const verification = await withScratch((scratch) => verifyOne({ projection, log, store, scratch, sample, ...told }))
        folding.end()
        comparing.end()
        if (!args.json) console.log(show(verification))
        verifications.push(verification)
      }
      if (args.json) console.log(JSON.stringify({ verifications: verifications.map(toJson) }))
      return verifications.every(({ discrepancies }) => discrepancies.length === 0) ? 0 : 1
    } finally {
      await store.close()
      await log.close()
    }
  },
}

function sampleOf(args: Arguments): number {
  const text = args.flag('sample') ?? '1'
  const sample = Number(text)
  if (!(sample > 0 && sample <= 1)) throw new UsageError(`--sample must be a share between 0 and 1, not "${text}"`)
  return sample
}

const toJson = (verification: Verification) => ({
  ...verification,
  discrepancies: verification.discrepancies.map((found) => ({ ...found, collection: found.collection.name })),
})

function show({ projection, generation, position, compared, discrepancies, parked, discarded }: Verification): string {
  const documents = Object.values(compared).reduce((sum, count) => sum + count, 0)
  const aside = [parked > 0 && `${parked} events parked`, discarded > 0 && `${discarded} discarded`].filter((part) => part)
  const head = `${projection}, generation ${generation}, position ${position}: ${documents} documents compared${aside.length > 0 ? ` (${aside.join(', ')}, taken into account)` : ''}`
  if (discrepancies.length === 0) return `${head}, none differs.`
  const rest = discrepancies.length > SHOWN ? [`  … and ${discrepancies.length - SHOWN} more: --json has them all`] : []
  return [`${head}, ${discrepancies.length} differ:`, ...discrepancies.slice(0, SHOWN).map(showOne), ...rest].join('\n')
}

function showOne({ collection, id, kind, fields }: Discrepancy): string {
  const head = `  ${collection.name}/${id}`
  if (kind === 'missing') return `${head}: missing from the model`
  if (kind === 'surplus') return `${head}: no event accounts for it`
  return [
    head,
    ...fields.map(({ path, left, right }) => `      ${path}: ${JSON.stringify(left)} in the model, ${JSON.stringify(right)} by the log`),
  ].join('\n')
}
