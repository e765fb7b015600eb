import { plural } from '../lib/message-text.js'
import type { DashboardSnapshot, ProjectionSummary } from '../observe/dashboard-snapshot.js'
import { integrityCountsText } from '../observe/integrity-findings.js'
import { PROJECTION_STATES, type Standing } from '../observe/projection-state.js'
import { paragraphs, table } from './table.js'

/** The dashboard as text, the most important first: a screen may cut the rest. */
export function dashboardText(snapshot: DashboardSnapshot, slowAt: string): string[] {
  const { log, projections, letters, integrity, jobs, operations, requests, audit } = snapshot
  return paragraphs([
    `${clock(snapshot.at)}  ${snapshot.readiness}  ${log === null ? 'The log does not answer.' : logText(log)}`,
    projectionTable(projections),
    ...projections.flatMap(rebuildLines),
    ...standingTexts(projections, snapshot.at),
    section(
      'Dead letters',
      ['projection', 'aggregate', 'position', 'for', 'error'],
      letters.map(({ projection, aggregate, position, since, message }) => [
        ...[projection, aggregate, String(position), formatDuration((snapshot.at - since) / 1000), message],
      ]),
      'Nothing is parked.',
    ),
    ['Upstream sequences', ...(integrity === null ? ['Nothing is known yet.'] : integrityLines(integrity))],
    ['Ask jobs', jobs === null ? 'They cannot be followed at the moment.' : jobLine(jobs)],
    section(
      `Slow operations of the process at ${slowAt}`,
      ['operation', 'calls', 'failed', 'median', 'p95', 'slowest'],
      operations.map(({ operation, count, failed, median, p95, slowest }) => [
        ...[operation, String(count), String(failed), ms(median), ms(p95), ms(slowest)],
      ]),
      'None are known: the process does not answer, or has had no requests.',
    ),
    section(
      'Carried out',
      ['when', 'projection', 'request', 'state', 'outcome'],
      requests.map(({ at, projection, kind, state, outcome }) => [clock(at), projection, kind, state, outcome ?? '']),
      'Nothing has been asked for.',
    ),
    section(
      'Asked for on the dashboard',
      ['when', 'who', 'projection', 'what'],
      audit.map(({ at, who, address, projection, what }) => [clock(at), `${who}, ${address}`, projection, what]),
      'No action has been asked for.',
    ),
  ])
}

const HEAD = ['projection', 'state', 'generation', 'position', 'lag', 'oldest', 'lately', 'applied', 'unchanged', 'parked']

function projectionTable(projections: readonly ProjectionSummary[]): string[] {
  const rows = projections.map((summary) => {
    const { standing, counts } = projectionCells(summary)
    const oldest = summary.lagSeconds === null || summary.lagSeconds === 0 ? '–' : formatDuration(summary.lagSeconds)
    return [...standing, oldest, sparkline(summary.history.map(([, lag]) => lag)), ...counts]
  })
  return table(HEAD, rows)
}

export const logText = ({ first, last }: { first: number; last: number }): string =>
  last === 0 ? 'The log is empty.' : `The log holds positions ${first} to ${last}.`

/** The cells of a projection that `status` prints with and without `--watch`. */
export function projectionCells(summary: Omit<ProjectionSummary, 'history'>): {
  standing: string[]
  counts: string[]
} {
  const { name, state, degraded, version, generation, position, lag, applied, duplicates, parked } = summary
  const shownState = degraded && state === 'live' ? 'degraded' : state
  const shownGeneration = generation === null ? '–' : `v${version} g${generation}`
  return {
    standing: [name, shownState, shownGeneration, String(position ?? '–'), String(lag ?? '–')],
    counts: [String(applied), String(duplicates), String(parked)],
  }
}

type Stands = Pick<ProjectionSummary, 'name' | keyof Standing | 'remedy'>

const SLOW_SHOWN_MS = 3_600_000

/** Why projections are not live, and what to do: those with the same cause together. */
export function standingTexts(summaries: readonly Stands[], now: number): string[][] {
  const byText = new Map<string, string[]>()
  for (const summary of summaries.filter(({ state }) => state !== 'live')) {
    const lines = [whyNotLive(summary, now), ...(summary.remedy === null ? [] : [`  → ${summary.remedy}`])].join('\n')
    byText.set(lines, [...(byText.get(lines) ?? []), summary.name])
  }
  const fanOuts = summaries.flatMap(({ name, fanOut }) =>
    fanOut === null ? [] : [[`${name}: an event at ${fanOut.position} changes many documents, ${fanOut.done} of ${fanOut.total} so far.`]],
  )
  const slow = summaries.flatMap(({ name, slowFold }) =>
    slowFold === null || now - slowFold.at > SLOW_SHOWN_MS
      ? []
      : [[`${name}: to fold the event at ${slowFold.position} took ${slowFold.ms} ms, in which nothing else was projected.`]],
  )
  return [...[...byText].map(([text, names]) => `${names.join(', ')}: ${text}`.split('\n')), ...fanOuts, ...slow]
}

function whyNotLive({ state, reason, lastError, failures, since }: Stands, now: number): string {
  const times = failures > 1 ? `, ${failures} times in a row` : ''
  const why = lastError === null ? '' : ` (${reason}: ${lastError}${times})`
  const long = since === null ? '' : `, for ${formatDuration((now - since) / 1000)}`
  return `${PROJECTION_STATES[state].meaning}${long}${why}.`
}

function rebuildLines({ name, rebuild }: ProjectionSummary): string[] {
  if (rebuild === null) return []
  const { kind, phase, share, secondsLeft, position, total, eventsPerSecond } = rebuild
  const left = secondsLeft === null ? '' : `, ${formatDuration(secondsLeft)} left`
  const pace = `${position} of ${plural(total, 'event')}, ${Math.round(eventsPerSecond)} per second`
  return [`${name}: ${kind}, ${phase}, ${Math.floor(share * 100)} %${left} (${pace})`]
}

/** The counts, and a line for each aggregate that is named. */
export function integrityLines({ counts, findings }: NonNullable<DashboardSnapshot['integrity']>): string[] {
  return [`${integrityCountsText(counts)}.`, ...findings.flatMap(({ where }) => where.map((line) => `${line}.`))]
}

function jobLine({ queued, running, completed, failed, oldest_queued_s }: NonNullable<DashboardSnapshot['jobs']>): string {
  const oldest = oldest_queued_s > 0 ? ` (oldest ${formatDuration(oldest_queued_s)})` : ''
  return `${queued} queued${oldest}, ${running} running, ${completed} completed and ${failed} failed today`
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[], nothing: string): string[] {
  return [title, ...(rows.length === 0 ? [nothing] : table(head, rows))]
}

const BARS = '▁▂▃▄▅▆▇█'
const GRAPH_WIDTH = 12

/** The latest values as bars, scaled from zero to the largest. */
export function sparkline(values: readonly number[]): string {
  const shown = values.slice(-GRAPH_WIDTH)
  const most = Math.max(1, ...shown)
  return shown.map((value) => BARS[Math.round((value / most) * (BARS.length - 1))]).join('')
}

export function formatDuration(seconds: number): string {
  if (seconds < 1) return '< 1 s'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

const clock = (at: number): string => new Date(at).toLocaleTimeString('en-GB')
