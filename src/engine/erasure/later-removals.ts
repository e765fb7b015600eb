import { builtInEvents, decode, REMOVAL_EVENTS, START } from '../../events/index.js'
import type { EventLog, LogRecord, Replacement } from '../../ports/event-log.js'

/** The other log did not begin as this one does. */
export class OtherLogError extends Error {
  override name = 'OtherLogError'
}

export interface LaterRemovals {
  /** Removals that the older log did not hold. */
  removals: number
  /** Events whose payload had been redacted since. */
  redactions: number
}

const PAGE = 500

/**
 * Brings an older copy of a log up to date with the erasures of a newer one: what was redacted since is redacted, and the
 * removals that came later are appended. They keep their ids, so publishing them again is harmless.
 */
export async function applyLaterRemovals(older: EventLog, newer: EventLog): Promise<LaterRemovals> {
  const { last } = await older.bounds()
  const replacements: Replacement[] = []
  const removals: LogRecord[] = []
  for (let after = START; ; ) {
    const [page, copies] = await Promise.all([newer.read(after, PAGE), older.read(after, PAGE)])
    const copyAt = new Map(copies.map((copy) => [copy.position, copy]))
    for (const record of page) {
      const copy = copyAt.get(record.position)
      if (record.position > last) {
        if (isRemoval(record)) removals.push(record)
      } else if (copy?.id !== record.id) throw new OtherLogError(`they differ at position ${record.position}`)
      else if (copy.payload !== record.payload) replacements.push({ position: record.position, payload: record.payload })
    }
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) break
    after = end.position
  }
  if (replacements.length > 0) await older.redact(replacements)
  const { appended } = await older.append(removals.map(({ position: _, ...record }) => record))
  return { removals: appended, redactions: replacements.length }
}

function isRemoval(record: LogRecord): boolean {
  const decoded = decode(record, builtInEvents)
  return decoded.outcome === 'event' && REMOVAL_EVENTS.has(decoded.event.name)
}
