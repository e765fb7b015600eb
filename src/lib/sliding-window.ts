/** A sliding window, approximated by two counters: the previous one counts in proportion to its overlap. */
export interface Window {
  /** The number of the window that `current` counts. */
  number: number
  current: number
  previous: number
}

export interface RateDecision {
  allowed: boolean
  /** The quota left now. */
  remaining: number
  /** Seconds until a refused request would pass, or until the next window begins. */
  resetS: number
}

export interface CountedDecision extends RateDecision {
  window: Window
}

const EMPTY_WINDOW: Window = { number: 0, current: 0, previous: 0 }

/** Counts one request. A refused request costs nothing. */
export function countRequest(window: Window | undefined, nowMs: number, limit: number, windowMs: number, cost = 1): CountedDecision {
  const now = rollTo(window ?? EMPTY_WINDOW, windowNumber(nowMs, windowMs))
  const passed = (nowMs % windowMs) / windowMs
  const used = now.previous * (1 - passed) + now.current
  if (used + cost > limit) {
    return {
      allowed: false,
      window: now,
      remaining: remainingOf(limit, used),
      resetS: seconds(windowsUntilFree(now, passed, limit, cost), windowMs),
    }
  }
  const counted = { ...now, current: now.current + cost }
  return { allowed: true, window: counted, remaining: remainingOf(limit, used + cost), resetS: secondsToNextWindow(nowMs, windowMs) }
}

/** The number of the window that contains a moment. */
export const windowNumber = (nowMs: number, windowMs: number): number => Math.floor(nowMs / windowMs)

/** Seconds until the next window begins. */
export const secondsToNextWindow = (nowMs: number, windowMs: number): number => seconds(1 - (nowMs % windowMs) / windowMs, windowMs)

function rollTo(window: Window, number: number): Window {
  if (number === window.number) return window
  return { number, current: 0, previous: number === window.number + 1 ? window.current : 0 }
}

/** The time until `cost` fits, in windows. */
function windowsUntilFree({ current, previous }: Window, passed: number, limit: number, cost: number): number {
  if (cost > limit) return 2
  if (current + cost <= limit) return 1 - (limit - current - cost) / previous - passed
  return 1 - passed + (1 - (limit - cost) / current)
}

const remainingOf = (limit: number, used: number): number => Math.max(0, Math.floor(limit - used))

const seconds = (windows: number, windowMs: number): number => Math.max(1, Math.ceil((windows * windowMs) / 1000))
