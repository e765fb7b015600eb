import type { LiveGeneration } from '../generations/engine-context.js'
import type { RequestContext, RequestOf } from './request-context.js'
import { type ActiveRollout, isRollout, Rollout } from './rollout.js'

/** Ends the rebuilds and rollbacks that were requested earlier. */
export async function executeAbort(
  context: RequestContext,
  request: RequestOf<'abort'>,
  _live: LiveGeneration,
  active: ActiveRollout,
): Promise<boolean> {
  const { requests } = context
  const aborted = (await requests.open(request.projection)).filter((open) => open.id < request.id && isRollout(open))
  // MongoDB would recreate collections dropped under a running build. Live events do not wait for its end: it wakes us.
  if (aborted.some(({ id }) => id === active.rollout?.id) && active.rollout?.requestStop() === false) return false
  for (const each of aborted) {
    if (active.rollout?.id === each.id) {
      await active.rollout.stop()
      active.rollout = null
    }
    await new Rollout(context, each).fail(each, 'aborted')
  }
  const outcome = aborted.length === 0 ? 'there was nothing to abort' : `aborted ${aborted.map(({ order }) => order.kind).join(', ')}`
  await requests.finish(request, 'done', outcome)
  return false
}
