import { editedDeclarations } from '../../compose/models/edited-declarations.js'
import { withStatusSamples } from '../../compose/process-stores.js'
import { errorMessage } from '../../lib/message-text.js'
import { summaryOf } from '../../observe/dashboard-snapshot.js'
import { type ProjectionStatus, rebuildProgress, type StatusSample } from '../../observe/engine-status.js'
import { integrityFindings } from '../../observe/integrity-findings.js'
import type { IntegrityReport } from '../../ports/integrity-report.js'
import type { Command } from '../command-line.js'
import { redrawUntilStopped } from '../screen.js'
import { integrityLines, logText, projectionCells, standingTexts } from '../status-text.js'
import { paragraphs, table } from '../table.js'

export const status: Command = {
  name: 'status',
  summary: 'Show position and state of each projection.',
  example: 'status --watch',
  needs: 'models',
  flags: { watch: { type: 'boolean', help: 'look again every second, until Ctrl+C' } },
  run: ({ config, models, json, has, answer, io }) =>
    withStatusSamples(config, models, async (take, documents) => {
      const look = async () => {
        const sample = await take()
        const { log, projections, integrity } = sample
        const edited = await editedDeclarations(documents, models)
        return {
          data: { log, projections, integrity },
          text: [...show(sample), ...edited.map((line) => `${line}: "vitrine doctor" says what to do.`)],
        }
      }
      if (has('watch')) {
        const lines = async () => (json ? [JSON.stringify((await look()).data)] : (await look()).text)
        // A store that is away may come back.
        await redrawUntilStopped(io, () => lines().catch((error: Error) => [`Cannot look: ${error.message}`]))
      } else {
        const { data, text } = await look()
        answer(data, text)
      }
      return undefined
    }),
}

const HEAD = ['projection', 'state', 'generation', 'position', 'lag', 'applied', 'unchanged', 'parked']

function show({ at, log, logError, projections, integrity }: StatusSample): string[] {
  const summaries = projections.map((status) => summaryOf(status, at))
  return paragraphs([
    log === null ? `The log does not answer: ${errorMessage(logError)}` : logText(log),
    table(HEAD, summaries.map(projectionCells)),
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
