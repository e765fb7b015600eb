import type { RequestContext, RequestOf } from './request-store.js'

/** Drops the generations that are neither live nor being built. */
export async function executePrune({ store, projection, requests, lease }: RequestContext, request: RequestOf<'prune'>): Promise<boolean> {
  const inUse = new Set((await requests.open(projection.name)).map(({ generation }) => generation))
  const dropped: string[] = []
  for (const generation of await store.generations(projection.name)) {
    if (generation.state === 'live' || inUse.has(generation.number)) continue
    await store.dropGeneration(generation, lease)
    dropped.push(`g${generation.number}`)
  }
  await requests.finish(request, 'done', dropped.length === 0 ? 'there was nothing to drop' : `dropped ${dropped.join(', ')}`)
  return false
}

/** A leader that stops between creating a generation and recording it leaves one that no request knows. */
export async function dropOrphans({ store, projection, logger, lease }: RequestContext): Promise<void> {
  for (const generation of await store.generations(projection.name)) {
    if (generation.state !== 'loading') continue
    await store.dropGeneration(generation, lease)
    logger.warn({ projection: projection.name, generation: generation.number }, 'a half-filled generation was dropped: no request fills it')
  }
}
