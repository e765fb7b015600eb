import type { Position } from '../events/index.js'
import type { Moment } from '../projector/replay/as-of.js'
import { UsageError } from './command.js'

/** `120000`, or `2026-10-01`, or `2026-10-01T00:00:00Z`. */
export function momentOf(flag: string, text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) as Position }
  const time = /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError(`--${flag} must be a position or a time such as 2026-10-01T00:00:00Z, not "${text}"`)
  return { time }
}
