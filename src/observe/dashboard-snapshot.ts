import type { JobSummary } from '../ask/jobs/job-projection.js'
import { listParked, type ParkedEvent } from '../engine/dead-letters/dead-letter-queries.js'
import { RequestStore } from '../engine/requests/request-store.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { IntegrityCounts, IntegrityReport } from '../ports/integrity-report.js'
import { type AuditEntry, latestAudit } from './audit-log.js'
import type { OperationTimes } from './durations.js'
import { type ProjectionStatus, rebuildProgress } from './engine-status.js'
import { type IntegrityFinding, integrityFindings } from './integrity-findings.js'
import type { Monitor, Readiness } from './monitor.js'
import { remedyOf } from './projection-state.js'

/** One projection as the dashboard shows it. */
export interface ProjectionSummary extends ReturnType<typeof summaryOf> {
  /** Lag in events over the last minutes, oldest first. */
  history: [secondsAgo: number, lag: number][]
}

/** Everything the dashboard shows at one moment: numbers and names, never a question that was asked. */
export interface DashboardSnapshot {
  at: number
  readiness: Readiness['status']
  /** `null` while the log does not answer. */
  log: { first: number; last: number } | null
  projections: ProjectionSummary[]
  letters: ParkedEvent[]
  /** `null` while nothing is known. */
  integrity: { counts: IntegrityCounts; findings: IntegrityFinding[] } | null
  jobs: JobSummary | null
  operations: OperationTimes[]
  requests: Awaited<ReturnType<typeof settledRequests>>
  audit: AuditEntry[]
}

const ROWS_SHOWN = 12
/** `vitrine dead-letters list` shows them all. */
const DEAD_LETTERS_SHOWN = 50

export async function takeDashboardSnapshot(monitor: Monitor, store: DocumentStore, jobs: JobSummary | null): Promise<DashboardSnapshot> {
  const { at, log, projections, integrity, storeError } = await monitor.sample()
  const letters: ParkedEvent[] = []
  for (const { projection, parked } of projections)
    if (parked > 0) letters.push(...(await listParked(store, projection, DEAD_LETTERS_SHOWN)))
  const isReadable = storeError === null
  return {
    at,
    readiness: (await monitor.readiness()).status,
    log,
    projections: projections.map((status) => ({
      ...summaryOf(status, at),
      history: monitor.lagHistoryOf(status.projection).map((sample) => [secondsBetween(sample.at, at), sample.lag]),
    })),
    letters: letters.slice(0, DEAD_LETTERS_SHOWN),
    integrity: integrity && summarizeIntegrity(integrity),
    jobs,
    operations: monitor.durations.table().slice(0, ROWS_SHOWN),
    requests: isReadable ? await settledRequests(store) : [],
    audit: isReadable ? await latestAudit(store, ROWS_SHOWN) : [],
  }
}

function summarizeIntegrity(report: IntegrityReport): DashboardSnapshot['integrity'] {
  const { missing, conflicting, lateArrivals, ...counts } = report
  return { counts, findings: integrityFindings(report) }
}

const secondsBetween = (before: number, after: number): number => Math.max(0, Math.round((after - before) / 1000))

/** What the status of a projection tells by itself, as the dashboard and `vitrine status` show it. */
export function summaryOf({ projection: name, tallies, generations, requests, ...status }: ProjectionStatus, now: number) {
  return {
    name,
    ...status,
    /** What to do about its state; `null` where nothing has to be done. */
    remedy: remedyOf(name, status.state, requests),
    applied: tallies.applied ?? 0,
    duplicates: tallies.duplicate ?? 0,
    generations: generations.map((each) => ({ number: each.number, version: each.version, state: each.state })),
    rebuild: rebuildProgress(requests, now),
  }
}

async function settledRequests(store: DocumentStore) {
  const settled = (await new RequestStore(store).all()).filter(({ state }) => state !== 'open').sort((a, b) => b.updatedAt - a.updatedAt)
  const latest = settled.slice(0, ROWS_SHOWN)
  return latest.map(({ projection, order: { kind }, state, outcome, updatedAt: at }) => ({ projection, kind, state, outcome, at }))
}
