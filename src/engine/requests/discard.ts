import type { Position } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import type { LogRecord } from '../../ports/event-log.js'
import { findParked } from '../dead-letters/dead-letter-queries.js'
import { listDiscards, recordDiscard } from '../dead-letters/discards.js'
import type { ReplayResult } from '../dead-letters/replay-parked.js'
import { recordAt } from '../fold/log-reader.js'
import type { LiveGeneration } from '../generations/build-generation.js'
import { replayInLive } from './replay.js'
import type { RequestContext, RequestOf } from './request-store.js'

/** Records that an event counts as if it had never been, and folds the events that waited for it. */
export async function executeDiscard(context: RequestContext, request: RequestOf<'discard'>, live: LiveGeneration): Promise<boolean> {
  const { position, reason, folded = false } = request.order
  const { store, projection, log, requests } = context
  const record = await recordAt(log, position as Position)
  if (record === null) {
    await requests.finish(request, 'failed', `the log has no event at position ${position}`)
    return false
  }
  const earlier = (await listDiscards(store, projection.name)).some((each) => each.position === position)
  if (!earlier && !folded && !(await wasPoison(context, record))) {
    const why = `${record.subject} is not parked by the event at position ${position}, and no rebuild has tripped over it`
    await requests.finish(request, 'failed', `${why}: nothing was discarded`)
    return false
  }
  await recordDiscard(store, projection.name, position, reason)
  const result = await replayInLive(context, live, (parked) => parked.filter((aggregate) => aggregate === record.subject))
  const outcome = describe(record, result, earlier)
  await requests.finish(request, 'done', `discarded ${record.subject} at position ${position}: ${outcome}`)
  return true
}

function describe({ subject }: LogRecord, result: ReplayResult | string, earlier: boolean): string {
  // The live generation is of another version and stays as it is. The discard holds all the same.
  if (typeof result === 'string') return `${result}; rebuilds will leave it out`
  if (result.parked > 0) return `${subject} stays parked because of another event`
  if (result.aggregates > 0)
    return `${plural(result.events - 1, 'event that waited behind it was', 'events that waited behind it were')} folded`
  return earlier ? 'that was decided before' : 'it was not parked, so only rebuilds will leave it out'
}

/** Whether the live generation has parked this event, or a rebuild failed because of it. */
async function wasPoison(context: RequestContext, { subject, position }: LogRecord): Promise<boolean> {
  const { store, projection, log, withLongLease, requests } = context
  let isParked = false
  await withLongLease(async () => {
    const parked = await findParked(store, log, projection.name, subject)
    isParked = parked !== null && [parked, ...parked.behind].some((each) => each.position === position)
  })
  if (isParked) return true
  return (await requests.all(projection.name)).some(({ poison }) => poison.some((each) => each.position === position))
}
