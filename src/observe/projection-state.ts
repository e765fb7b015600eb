/** How a projection stands: one derivation and one table, for every surface. docs/operating.md has the table. */
import type { OwnHealth } from '../engine/fold/telemetry.js'
import type { Generation, Lead, ProjectionHealth } from '../ports/document-store.js'

/** A leader that leaves is replaced within a few seconds. */
const LEADERLESS_AFTER_MS = 10_000
/** A waiting loop asks for events every two seconds; a large commit or a busy machine may delay it. */
const STALLED_AFTER_MS = 15_000
/** Loading blocks its thread: building one index of millions of entries takes minutes. */
const LOADING_STALLED_AFTER_MS = 600_000

interface StateMeaning {
  /** In the public status document. */
  public: 'ok' | 'degraded' | 'loading' | 'unavailable'
  meaning: string
  /** `null` where nothing has to be done. */
  remedy: ((projection: string) => string) | null
}

export const PROJECTION_STATES = {
  live: { public: 'ok', meaning: 'following the log', remedy: null },
  loading: {
    public: 'loading',
    meaning: 'being built for the first time',
    remedy: () => 'wait: "vitrine status --watch" shows how far it is',
  },
  retrying: {
    public: 'degraded',
    meaning: 'failing, and tried again',
    remedy: () => 'mend what the error names; it goes on by itself',
  },
  stopped: {
    public: 'degraded',
    meaning: 'built from another log, and standing still',
    remedy: () =>
      'connect the log that it was built from; if the log was replaced on purpose, run "vitrine rebuild all --accept-log" (docs/operating.md)',
  },
  stalled: {
    public: 'degraded',
    meaning: 'led by a process that makes no progress',
    remedy: () => 'restart the process that leads it',
  },
  leaderless: {
    public: 'degraded',
    meaning: 'led by no process',
    remedy: () => 'start "vitrine serve", or a process with ROLES=project',
  },
  outdated: {
    public: 'degraded',
    meaning: 'of another version than this code: only a process of that version keeps it up to date, erasures included',
    remedy: (projection) => `restart the processes with this code, which rebuild it, or run "vitrine rebuild ${projection}"`,
  },
  missing: { public: 'loading', meaning: 'not there yet', remedy: () => 'start "vitrine serve": it builds the model from the log' },
  unknown: { public: 'unavailable', meaning: 'cannot be looked at', remedy: () => 'see why the store does not answer' },
} as const satisfies Record<string, StateMeaning>

/** What to do about a projection; `null` where nothing has to be done. Of a rebuild that was asked for, only to wait. */
export function remedyOf(projection: string, state: ProjectionState, requests: readonly { order: { kind: string } }[]): string | null {
  const isRebuilt = state === 'outdated' && requests.some(({ order }) => order.kind === 'rebuild')
  return PROJECTION_STATES[isRebuilt ? 'loading' : state].remedy?.(projection) ?? null
}

export type ProjectionState = keyof typeof PROJECTION_STATES

/** A state, and what is known of its cause. */
export interface Standing extends Pick<ProjectionHealth, 'reason' | 'lastError' | 'failures' | 'fanOut' | 'slowFold'> {
  state: ProjectionState
  /** When the state began; `null` where that is not known. */
  since: number | null
}

interface Evidence {
  /** The version of this code. */
  version: number
  /** The live generation, or the one that is loading. */
  generation: Generation | undefined
  lead: Lead | undefined
  /** Of this process, if it projects. */
  own: OwnHealth | undefined
  /** Whether the log was seen to be another one. */
  isForeign: boolean
  now: number
}

export function standingOf(evidence: Evidence): Standing {
  const { version, generation, lead, isForeign, now } = evidence
  const health = healthIn(evidence)
  const isLed = evidence.own?.isLeading === true || (lead !== undefined && now - lead.until < LEADERLESS_AFTER_MS)
  if (isForeign) return standing('stopped', { ...health, reason: 'foreign', lastError: health?.lastError ?? null })
  if (generation === undefined && !isLed) return standing('missing', null)
  if (generation?.state === 'live' && generation.version !== version) return standing('outdated', null)
  if (health !== null && health.failures > 0) return standing(health.state, health)
  if (!isLed) return standing('leaderless', { since: lead?.until ?? null })
  const isLoading = generation?.state !== 'live'
  const stalledAt = health === null ? now : health.progressAt + (isLoading ? LOADING_STALLED_AFTER_MS : STALLED_AFTER_MS)
  if (now > stalledAt) return standing('stalled', { ...health, since: health?.progressAt ?? null })
  return standing(isLoading ? 'loading' : 'live', health)
}

/** A process knows its own from memory: a store that refuses writes takes no health. */
function healthIn({ lead, own, now }: Evidence): ProjectionHealth | null {
  const isLedElsewhere = lead !== undefined && lead.until > now && own?.isLeading !== true
  const [first, second] = isLedElsewhere ? [lead.health, own?.health] : [own?.health, lead?.health]
  return first ?? second ?? null
}

function standing(state: ProjectionState, known: Partial<Standing> | ProjectionHealth | null): Standing {
  const { reason = null, lastError = null, failures = 0, fanOut = null, slowFold = null, since = null } = known ?? {}
  return { state, reason, lastError, failures, fanOut, slowFold, since }
}

/** Of a projection whose store does not answer: what this process knows. */
export const unreadStanding = (own: OwnHealth | undefined): Standing =>
  own !== undefined && own.health.failures > 0 ? standing(own.health.state, own.health) : standing('unknown', null)

/** Whether the loop of a projection still comes round, leading or waiting to lead. */
export const isTurning = (
  { health: { progressAt, state } }: { health: Pick<ProjectionHealth, 'progressAt' | 'state'> },
  now: number,
): boolean => now - progressAt <= (state === 'loading' ? LOADING_STALLED_AFTER_MS : STALLED_AFTER_MS)
