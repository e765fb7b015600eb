import type { Request } from '../engine/requests/request-store.js'

export interface RebuildProgress {
  kind: 'rebuild' | 'rollback'
  phase: string
  generation: number | null
  position: number
  total: number
  /** From 0 to 1. */
  share: number
  eventsPerSecond: number
  /** `null` while it cannot be estimated. */
  secondsLeft: number | null
}

/** Progress of the running rebuild or rollback, from the open requests of one projection. */
export function rebuildProgress(requests: readonly Request[], now: number): RebuildProgress | null {
  const request = requests.find(({ order, state }) => state === 'open' && (order.kind === 'rebuild' || order.kind === 'rollback'))
  if (request === undefined || (request.order.kind !== 'rebuild' && request.order.kind !== 'rollback')) return null
  const { position, total, phase, generation, startedAt } = request
  const seconds = startedAt === null ? 0 : (now - startedAt) / 1000
  const eventsPerSecond = seconds > 0 ? position / seconds : 0
  const share = total > 0 ? Math.min(1, position / total) : 0
  const secondsLeft = eventsPerSecond > 0 && total > 0 ? Math.max(0, total - position) / eventsPerSecond : null
  return { kind: request.order.kind, phase, generation, position, total, share, eventsPerSecond, secondsLeft }
}
