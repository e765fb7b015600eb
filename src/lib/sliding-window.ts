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
  /** Seconds after which a request passes if nothing is sent meanwhile; while quota is left, until the next window begins. */
  resetS: number
}

export interface CountedDecision extends RateDecision {
  window: Window
}

const EMPTY_WINDOW: Window = { number: 0, current: 0, previous: 0 }

/**
 * Counts one request. A refused request costs nothing. `retryCost`: what the refused request will cost as a whole when it comes
 * again, if part of it was counted before.
 *
 * Amounts are in requests × milliseconds: whole numbers, so that a caller who waits as told is not refused for a rounding error.
 */
export function countRequest(
  window: Window | undefined,
  nowMs: number,
  limit: number,
  windowMs: number,
  cost = 1,
  retryCost = cost,
): CountedDecision {
  const now = rollTo(window ?? EMPTY_WINDOW, windowNumber(nowMs, windowMs))
  const elapsedMs = nowMs % windowMs
  const free = limit * windowMs - now.previous * (windowMs - elapsedMs) - now.current * windowMs
  const left = free - cost * windowMs
  if (left < 0) {
    const resetS = seconds(msUntilFree(now, elapsedMs, limit, windowMs, retryCost))
    return { allowed: false, window: now, remaining: Math.max(0, Math.floor(free / windowMs)), resetS }
  }
  const counted = { ...now, current: now.current + cost }
  const remaining = Math.floor(left / windowMs)
  const resetS = remaining > 0 ? secondsToNextWindow(nowMs, windowMs) : seconds(msUntilFree(counted, elapsedMs, limit, windowMs, 1))
  return { allowed: true, window: counted, remaining, resetS }
}

/** The number of the window that contains a moment. */
export const windowNumber = (nowMs: number, windowMs: number): number => Math.floor(nowMs / windowMs)

/** Seconds until the next window begins. */
export const secondsToNextWindow = (nowMs: number, windowMs: number): number => seconds(windowMs - (nowMs % windowMs))

function rollTo(window: Window, number: number): Window {
  if (number === window.number) return window
  return { number, current: 0, previous: number === window.number + 1 ? window.current : 0 }
}

/** The time until `cost` fits. What was counted only gets less while nothing is sent, so it fits at any later time, too. */
function msUntilFree({ current, previous }: Window, elapsedMs: number, limit: number, windowMs: number, cost: number): number {
  const most = limit - cost
  if (most < 0) return 2 * windowMs
  const restMs = windowMs - elapsedMs
  if (current <= most) return previous === 0 ? 0 : Math.max(0, restMs - Math.floor(((most - current) * windowMs) / previous))
  return restMs + windowMs - Math.floor((most * windowMs) / current)
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
