import { plural } from '../../lib/message-text.js'
import { type ReplayResult, replayParked } from '../dead-letters/replay-parked.js'
import { loadParked } from '../definition/dead-letter-collections.js'
import { withGeneration } from '../fold/open-generation.js'
import type { LiveGeneration } from '../generations/build-generation.js'
import type { RequestContext, RequestOf } from './request-store.js'

/** Folds dead letters again. */
export async function executeReplay(context: RequestContext, request: RequestOf<'replay'>, live: LiveGeneration): Promise<boolean> {
  const { projection, requests } = context
  const { aggregate, limit, from = 0 } = request.order
  // An event up to `from` may yet be parked. Another version's generation never gets there, and is refused below.
  if (live.generation.version === projection.version && live.position < from) return false
  const result = await replayInLive(context, live, (parked) => {
    const chosen = aggregate === null ? parked : parked.filter((each) => each === aggregate)
    return chosen.slice(0, limit ?? undefined)
  })
  if (typeof result === 'string') await requests.finish(request, 'failed', result)
  else await requests.finish(request, 'done', describe(result))
  return true
}

/** Returns a sentence where it cannot be done. */
export async function replayInLive(
  { store, projection, log, withLongLease, progressed, lease }: RequestContext,
  { generation: live }: LiveGeneration,
  choose: (parked: string[]) => string[],
): Promise<ReplayResult | string> {
  if (live.version !== projection.version) return `the live generation is of version ${live.version}, which this code cannot fold into`
  return withGeneration(store, live, projection.collections, async (generation) => {
    const parked = [...(await loadParked(generation)).values()].sort((a, b) => a.position - b.position).map(({ _id }) => _id)
    return replayParked({ projection, store, log, generation, withLongLease, progressed }, lease.epoch, choose(parked))
  })
}

function describe({ events, aggregates, parked }: ReplayResult): string {
  const replayed = `replayed ${plural(events, 'event')} of ${plural(aggregates, 'aggregate')}`
  return parked === 0 ? replayed : `${replayed}: ${parked} still cannot be folded`
}
