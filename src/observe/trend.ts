export interface LagSample {
  at: number
  lag: number
}

/** Fewer events than this are no reason to worry: a live projector leaves them for later all the time. */
const BEHIND_EVENTS = 1000
/** A backlog has this long to begin to shrink. */
const STUCK_AFTER_MS = 60_000

/** Far behind, and after a minute no nearer to the end: whoever catches up, however slowly, is not stuck. Oldest sample first. */
export function isLagStuck(samples: readonly LagSample[], now: number): boolean {
  const recent = samples.filter(({ at }) => now - at <= STUCK_AFTER_MS * 1.5)
  const [first] = recent
  const last = recent.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < STUCK_AFTER_MS) return false
  return recent.every(({ lag }) => lag > BEHIND_EVENTS) && last.lag >= first.lag
}
