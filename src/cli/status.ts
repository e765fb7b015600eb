import { projections } from '../../projections/index.js'
import { openDocuments, openLog } from '../app.js'
import { type Survey, survey } from '../projector/survey.js'
import type { Command } from './command.js'
import { table } from './table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show how far each projection has come.',
  async run({ config, json }) {
    const log = await openLog(config)
    const documents = await openDocuments(config)
    try {
      const found = await survey(log, documents, projections)
      console.log(json ? JSON.stringify(found) : show(found))
    } finally {
      await documents.close()
      await log.close()
    }
    return 0
  },
}

function show({ log, projections: standings }: Survey): string {
  const rows = standings.map(({ projection, state, version, generation, position, lag, parked, waiting, tallies }) => [
    projection,
    state,
    generation === null ? '–' : `v${version} g${generation}`,
    String(position),
    String(lag),
    String(tallies.applied ?? 0),
    String(tallies.duplicate ?? 0),
    parked === 0 ? '0' : `${parked} (+${waiting} waiting)`,
  ])
  const end = log.last === 0 ? 'The log is empty.' : `The log holds positions ${log.first} to ${log.last}.`
  return `${end}\n\n${table(['projection', 'state', 'generation', 'position', 'lag', 'applied', 'duplicates', 'parked'], rows)}`
}
