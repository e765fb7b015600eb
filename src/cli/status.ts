import { projections } from '../../projections/index.js'
import { progressOf } from '../observe/progress.js'
import { type Standing, type Survey, survey } from '../projector/survey.js'
import { openDocuments, openLog } from '../stores.js'
import type { Command } from './command.js'
import { keepShowing } from './screen.js'
import { table } from './table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show how far each projection has come.',
  flags: { watch: { type: 'boolean', help: 'go on showing it, until Ctrl+C' } },
  async run({ config, json, has }) {
    const log = await openLog(config)
    const documents = await openDocuments(config)
    try {
      const look = async () => {
        const found = await survey(log, documents, projections)
        return json ? JSON.stringify(found) : show(found)
      }
      // While it watches, a store that is away is something to show, too.
      if (has('watch')) await keepShowing(() => look().catch((error: Error) => `Cannot look: ${error.message}`))
      else console.log(await look())
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
  const standing = table(['projection', 'state', 'generation', 'position', 'lag', 'applied', 'duplicates', 'parked'], rows)
  return [end, standing, ...standings.flatMap(remarks)].join('\n\n')
}

/** What somebody should know or do about a projection. */
function remarks({ projection, state, degraded, requests }: Standing): string[] {
  const lines = requests.map(({ order, phase, position, total }) => `${projection}: ${order.kind} is ${phase} (${position} of ${total}).`)
  const progress = progressOf(requests, Date.now())
  if (progress !== null && progress.secondsLeft !== null)
    lines.push(`${projection}: ${Math.floor(progress.share * 100)} %, about ${Math.ceil(progress.secondsLeft)} s left at this pace.`)
  if (state === 'outdated') lines.push(`${projection} is of another version and stands still: run "vitrine rebuild ${projection}".`)
  if (degraded) lines.push(`${projection} is degraded: "vitrine dead-letters list ${projection}" says why.`)
  return lines
}
