import type { DashboardSnapshot, ProjectionSummary, summaryOf } from '../observe/dashboard-snapshot.js'
import { integrityCountsText } from '../observe/integrity-findings.js'
import { PROJECTION_STATES, type Standing } from '../observe/projection-state.js'

export const logText = ({ first, last }: { first: number; last: number }): string =>
  last === 0 ? 'The log is empty.' : `The log holds positions ${first} to ${last}.`

/** The cells of a projection. */
export function projectionCells(summary: ReturnType<typeof summaryOf>): string[] {
  const { name, state, degraded, version, generation, position, lag, applied, duplicates, parked } = summary
  const shownState = degraded && state === 'live' ? 'degraded' : state
  const shownGeneration = generation === null ? '–' : `v${version} g${generation}`
  return [name, shownState, shownGeneration, String(position ?? '–'), String(lag ?? '–'), ...[applied, duplicates, parked].map(String)]
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

/** The counts, and a line for each aggregate that is named. */
export function integrityLines({ counts, findings }: NonNullable<DashboardSnapshot['integrity']>): string[] {
  return [`${integrityCountsText(counts)}.`, ...findings.flatMap(({ where }) => where.map((line) => `${line}.`))]
}

function formatDuration(seconds: number): string {
  if (seconds < 1) return '< 1 s'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
