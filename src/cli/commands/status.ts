import { DashboardReader } from '../../compose/dashboard-reader.js'
import { projections } from '../../compose/models.js'
import { openDocuments, openLog } from '../../compose/stores.js'
import { type EngineStatus, type ProjectionStatus, readEngineStatus } from '../../observe/engine-status.js'
import { rebuildProgress } from '../../observe/rebuild-progress.js'
import type { Command } from '../command-line.js'
import { dashboardText } from '../dashboard-text.js'
import type { Io } from '../io.js'
import { redrawUntilStopped } from '../screen.js'
import { table } from '../table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show how far each projection has come.',
  needs: 'models',
  flags: { watch: { type: 'boolean', help: 'go on showing what the dashboard shows, until Ctrl+C' } },
  async run({ config, json, has, io }) {
    if (has('watch')) return watch(new DashboardReader(config), json, io)
    const log = await openLog(config)
    const documents = await openDocuments(config)
    try {
      const found = await readEngineStatus(log, documents, projections)
      io.print(json ? JSON.stringify(found) : show(found))
    } finally {
      await documents.close()
      await log.close()
    }
    return 0
  },
}

/** What the dashboard shows. A store that is away is something to show, too. */
async function watch(board: DashboardReader, json: boolean, io: Io): Promise<number> {
  const look = async () => (json ? JSON.stringify(await board.read()) : dashboardText(await board.read(), board.adminUrl))
  try {
    await redrawUntilStopped(io, () => look().catch((error: Error) => `Cannot look: ${error.message}`))
  } finally {
    await board.close()
  }
  return 0
}

function show({ log, projections: standings }: EngineStatus): string {
  const rows = standings.map(({ projection, state, degraded, version, generation, position, lag, parked, waiting, tallies }) => [
    projection,
    degraded && state === 'live' ? 'degraded' : state,
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
function remarks({ projection, state, degraded, requests }: ProjectionStatus): string[] {
  const lines = requests.map(({ order, phase, position, total }) => `${projection}: ${order.kind} is ${phase} (${position} of ${total}).`)
  const progress = rebuildProgress(requests, Date.now())
  if (progress !== null && progress.secondsLeft !== null)
    lines.push(`${projection}: ${Math.floor(progress.share * 100)} %, about ${Math.ceil(progress.secondsLeft)} s left at this pace.`)
  if (state === 'outdated') lines.push(`${projection} is of another version and stands still: run "vitrine rebuild ${projection}".`)
  if (degraded) lines.push(`${projection} is degraded: "vitrine dead-letters list ${projection}" says why.`)
  return lines
}
