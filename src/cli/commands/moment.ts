import type { Moment } from '../../engine/replay/as-of.js'
import type { Position } from '../../events/index.js'
import { CommandError } from '../command-line.js'

const TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/

/** `120000`, or `2026-10-01`, or `2026-10-01T00:00:00Z`. Without a zone it is UTC: the log is the same wherever one asks. */
export function parseMoment(flag: string, text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) as Position }
  const time = timeOf(text)
  if (Number.isNaN(time)) throw new CommandError(`--${flag} must be a position or a time such as 2026-10-01T00:00:00Z, not "${text}"`)
  return { time }
}

function timeOf(text: string): number {
  const [, day = '', clock = 'T00:00', zone = 'Z'] = TIME.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // Where a month has no such day, JavaScript goes on counting in the next one.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
  return isDay ? Date.parse(`${day}${clock}${zone}`) : Number.NaN
}
