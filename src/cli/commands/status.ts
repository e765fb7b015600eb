import { openDashboard } from '../../compose/dashboard-reader.js'
import { editedDeclarations } from '../../compose/models/edited-declarations.js'
import { withStatusSample } from '../../compose/process-stores.js'
import { errorMessage } from '../../lib/message-text.js'
import { summaryOf } from '../../observe/dashboard-snapshot.js'
import { type ProjectionStatus, rebuildProgress, type StatusSample } from '../../observe/engine-status.js'
import { integrityFindings } from '../../observe/integrity-findings.js'
import type { IntegrityReport } from '../../ports/integrity-report.js'
import type { Command } from '../command-line.js'
import { dashboardText, integrityLines, logText, projectionCells, standingTexts } from '../dashboard-text.js'
import type { Io } from '../io.js'
import { redrawUntilStopped } from '../screen.js'
import { paragraphs, table } from '../table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show position and state of each projection.',
  example: 'status --watch',
  needs: 'models',
  flags: { watch: { type: 'boolean', help: 'show what the dashboard shows, until Ctrl+C' } },
  async run({ config, models, json, has, answer, io }) {
    if (has('watch')) return watch(openDashboard(config, models), json, io)
    const [sample, edited] = await withStatusSample(config, models, async (sample, documents) => [
      sample,
      await editedDeclarations(documents, models),
    ])
    const { log, projections, integrity } = sample
    const remedies = edited.map((line) => `${line}: "vitrine doctor" says what to do.`)
    answer({ log, projections, integrity }, [...show(sample), ...remedies])
  },
}

/** What the dashboard shows. A store that is away is shown, too. */
async function watch(dashboard: ReturnType<typeof openDashboard>, json: boolean, io: Io): Promise<undefined> {
  const look = async () => (json ? [JSON.stringify(await dashboard.read())] : dashboardText(await dashboard.read(), dashboard.adminUrl))
  try {
    await redrawUntilStopped(io, () => look().catch((error: Error) => [`Cannot look: ${error.message}`]))
  } finally {
    await dashboard.close()
  }
}

const HEAD = ['projection', 'state', 'generation', 'position', 'lag', 'applied', 'unchanged', 'parked']

function show({ at, log, logError, projections, integrity }: StatusSample): string[] {
  const summaries = projections.map((status) => summaryOf(status, at))
  const rows = summaries.map(projectionCells).map(({ standing, counts }) => [...standing, ...counts])
  return paragraphs([
    log === null ? `The log does not answer: ${errorMessage(logError)}` : logText(log),
    table(HEAD, rows),
    ...standingTexts(summaries, at),
    ...projections.flatMap(remarks),
    ...(integrity === null ? [] : [sequences(integrity)]),
  ])
}

/** What upstream sent in order, late, again or not at all. */
function sequences(report: IntegrityReport): string[] {
  const findings = integrityFindings(report)
  const [counts, ...where] = integrityLines({ counts: report, findings })
  const remedy = findings.some(({ remedy }) => remedy !== null) ? ['"vitrine doctor" says what to do.'] : []
  return [`Upstream sequences: ${counts}`, ...where, ...remedy]
}

/** What the operator should know or do about a projection. */
function remarks({ projection, degraded, requests }: ProjectionStatus): string[] {
  const lines = requests.map(({ order, phase, position, total }) => `${projection}: ${order.kind} is ${phase} (${position} of ${total}).`)
  const progress = rebuildProgress(requests, Date.now())
  if (progress !== null && progress.secondsLeft !== null)
    lines.push(`${projection}: ${Math.floor(progress.share * 100)} %, about ${Math.ceil(progress.secondsLeft)} s left at this pace.`)
  if (degraded) lines.push(`${projection} is degraded: "vitrine dead-letters list ${projection}" says why.`)
  return lines
}
