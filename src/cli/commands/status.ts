import { DashboardReader } from '../../compose/dashboard-reader.js'
import { projections } from '../../compose/models.js'
import { withStores } from '../../compose/stores.js'
import { type EngineStatus, type ProjectionStatus, readEngineStatus, rebuildProgress } from '../../observe/engine-status.js'
import type { Command } from '../command-line.js'
import { dashboardText, generationCell, logText, outdatedRemark, parkedCell, stateCell } from '../dashboard-text.js'
import type { Io } from '../io.js'
import { redrawUntilStopped } from '../screen.js'
import { table } from '../table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show position and state of each projection.',
  needs: 'models',
  flags: { watch: { type: 'boolean', help: 'show what the dashboard shows, until Ctrl+C' } },
  async run({ config, json, has, io }) {
    if (has('watch')) return watch(new DashboardReader(config), json, io)
    const found = await withStores(config, ({ log, documents }) => readEngineStatus(log, documents, projections))
    io.print(json ? JSON.stringify(found) : show(found))
    return 0
  },
}

/** What the dashboard shows. A store that is away is shown, too. */
async function watch(dashboard: DashboardReader, json: boolean, io: Io): Promise<number> {
  const look = async () => (json ? JSON.stringify(await dashboard.read()) : dashboardText(await dashboard.read(), dashboard.adminUrl))
  try {
    await redrawUntilStopped(io, () => look().catch((error: Error) => `Cannot look: ${error.message}`))
  } finally {
    await dashboard.close()
  }
  return 0
}

function show({ log, projections: statuses }: EngineStatus): string {
  const rows = statuses.map(({ projection, state, degraded, version, generation, position, lag, parked, waiting, tallies }) => [
    projection,
    stateCell(state, degraded),
    generationCell(version, generation),
    String(position),
    String(lag),
    String(tallies.applied ?? 0),
    String(tallies.duplicate ?? 0),
    parkedCell(parked, waiting),
  ])
  const cells = table(['projection', 'state', 'generation', 'position', 'lag', 'applied', 'duplicates', 'parked'], rows)
  return [logText(log), cells, ...statuses.flatMap(remarks)].join('\n\n')
}

/** What the operator should know or do about a projection. */
function remarks({ projection, state, degraded, requests }: ProjectionStatus): string[] {
  const lines = requests.map(({ order, phase, position, total }) => `${projection}: ${order.kind} is ${phase} (${position} of ${total}).`)
  const progress = rebuildProgress(requests, Date.now())
  if (progress !== null && progress.secondsLeft !== null)
    lines.push(`${projection}: ${Math.floor(progress.share * 100)} %, about ${Math.ceil(progress.secondsLeft)} s left at this pace.`)
  if (state === 'outdated') lines.push(outdatedRemark(projection))
  if (degraded) lines.push(`${projection} is degraded: "vitrine dead-letters list ${projection}" says why.`)
  return lines
}
