import type { Config } from '../../compose/config.js'
import { withDocuments } from '../../compose/stores.js'
import type { Projection } from '../../engine/definition/projection.js'
import type { Generation } from '../../ports/document-store.js'
import type { Command } from '../command-line.js'
import { projectionsOf } from '../find-projections.js'
import { submitAndReport } from '../submit-request.js'
import { table } from '../table.js'

interface GenerationRow extends Generation {
  position: number
}

export const generations: Command = {
  name: 'generations',
  summary: 'List the generations of each model: live, loading, and retired ones to roll back to.',
  usage: '[NAME|all]',
  example: 'generations feed',
  needs: 'models',
  flags: { prune: { type: 'boolean', help: 'drop those that are neither served nor being filled' } },
  async run(args) {
    const chosen = projectionsOf(args, 'all')
    if (args.has('prune')) return submitAndReport(args, chosen, { kind: 'prune' })
    const listed = await list(args.config, chosen)
    args.answer(listed, show(listed))
  },
}

const list = (config: Config, chosen: readonly Projection[]): Promise<GenerationRow[]> =>
  withDocuments(config, async (documents) => {
    const listed: GenerationRow[] = []
    for (const { name } of chosen) {
      for (const generation of await documents.generations(name)) {
        const opened = await documents.openGeneration(generation, [])
        listed.push({ ...generation, position: (await opened.checkpoint().finally(() => opened.close())).position })
      }
    }
    return listed
  })

function show(listed: readonly GenerationRow[]): string[] {
  const rows = listed.map(({ projection, number, version, state, position, createdAt }) => [
    ...[projection, `g${number}`, `v${version}`, state, String(position), new Date(createdAt).toISOString()],
  ])
  return table(['projection', 'generation', 'version', 'state', 'position', 'made'], rows)
}
