import type { JobSummary } from '../ask/jobs/job-projection.js'
import { listParked, type ParkedEvent } from '../engine/dead-letters/dead-letter-queries.js'
import { RequestStore } from '../engine/requests/request-store.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { IntegrityCounts, IntegrityReport } from '../ports/integrity-report.js'
import { type AuditEntry, latestAudit } from './audit-log.js'
import type { OperationTimes } from './durations.js'
import { type ProjectionStatus, type RebuildProgress, rebuildProgress } from './engine-status.js'
import { type IntegrityFinding, integrityFindings } from './integrity-findings.js'
import type { Monitor, Readiness } from './monitor.js'

/** One projection as the dashboard shows it. */
export interface ProjectionSummary
  extends Pick<ProjectionStatus, 'state' | 'version' | 'generation' | 'position' | 'lag' | 'parked' | 'waiting'> {
  name: string
  degraded: boolean
  lagSeconds: number
  /** Lag in events over the last minutes, oldest first. */
  history: [secondsAgo: number, lag: number][]
  applied: number
  duplicates: number
  generations: { number: number; version: number; state: string }[]
  rebuild: RebuildProgress | null
  /** Seconds since it last asked for events; null where this process neither leads nor waits to lead. */
  heartbeat: number | null
}

export interface SettledRequest {
  projection: string
  kind: string
  state: string
  outcome: string | null
  at: number
}

/** Everything the dashboard shows at one moment: numbers and names, never a question that was asked. */
export interface DashboardSnapshot {
  at: number
  readiness: Readiness['status']
  /** `null` while log or models are unreachable. */
  log: { first: number; last: number } | null
  projections: ProjectionSummary[]
  letters: ParkedEvent[]
  /** `null` while nothing is known. */
  integrity: { counts: IntegrityCounts; findings: IntegrityFinding[] } | null
  jobs: JobSummary | null
  operations: OperationTimes[]
  requests: SettledRequest[]
  audit: AuditEntry[]
}

const ROWS_SHOWN = 12
/** `vitrine dead-letters list` shows them all. */
const DEAD_LETTERS_SHOWN = 50

export async function takeDashboardSnapshot(monitor: Monitor, store: DocumentStore, jobs: JobSummary | null): Promise<DashboardSnapshot> {
  const { latest, durations } = monitor
  const at = Date.now()
  const operations = durations.table().slice(0, ROWS_SHOWN)
  if (latest === null)
    return { at, readiness: 'stalled', log: null, projections: [], letters: [], integrity: null, jobs, operations, requests: [], audit: [] }
  const { engine, integrity, lagSeconds } = latest
  const ages = new Map(monitor.heartbeats.ages().map(({ projection, seconds }) => [projection, seconds]))
  const letters: ParkedEvent[] = []
  for (const { projection, parked } of engine.projections)
    if (parked > 0) letters.push(...(await listParked(store, projection, DEAD_LETTERS_SHOWN)))
  return {
    at,
    readiness: (await monitor.readiness()).status,
    log: engine.log,
    projections: engine.projections.map((status) => ({
      ...summaryOf(status, at),
      lagSeconds: lagSeconds[status.projection] ?? 0,
      history: monitor.lagHistoryOf(status.projection).map((sample) => [secondsBetween(sample.at, at), sample.lag]),
      heartbeat: ages.get(status.projection) ?? null,
    })),
    letters: letters.slice(0, DEAD_LETTERS_SHOWN),
    integrity: integrity && summarizeIntegrity(integrity),
    jobs,
    operations,
    requests: await settledRequests(store),
    audit: await latestAudit(store, ROWS_SHOWN),
  }
}

function summarizeIntegrity(report: IntegrityReport): DashboardSnapshot['integrity'] {
  const { missing, conflicting, lateArrivals, ...counts } = report
  return { counts, findings: integrityFindings(report) }
}

const secondsBetween = (before: number, after: number): number => Math.max(0, Math.round((after - before) / 1000))

/** What the status of a projection tells by itself, as the dashboard and `vitrine status` show it. */
export function summaryOf(status: ProjectionStatus, now: number) {
  const { projection, state, version, generation, position, lag, parked, waiting, degraded, tallies, generations, requests } = status
  return {
    name: projection,
    ...{ state, version, generation, position, lag, parked, waiting, degraded },
    applied: tallies.applied ?? 0,
    duplicates: tallies.duplicate ?? 0,
    generations: generations.map((each) => ({ number: each.number, version: each.version, state: each.state })),
    rebuild: rebuildProgress(requests, now),
  }
}

async function settledRequests(store: DocumentStore): Promise<SettledRequest[]> {
  const settled = (await new RequestStore(store).all()).filter(({ state }) => state !== 'open').sort((a, b) => b.updatedAt - a.updatedAt)
  const latest = settled.slice(0, ROWS_SHOWN)
  return latest.map(({ projection, order: { kind }, state, outcome, updatedAt: at }) => ({ projection, kind, state, outcome, at }))
}
