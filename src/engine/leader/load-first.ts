import { foreignModels } from '../fold/log-identity.js'
import type { CommittedBatch } from '../fold/telemetry.js'
import { buildGeneration, type EngineContext } from '../generations/build-generation.js'
import type { RequestExecutor } from '../requests/request-executor.js'
import type { Leadership } from './leadership.js'

interface LoadHooks {
  onBegin(): void
  onCommit(batch: CommittedBatch): void
  onProgress(): void
}

/** Loads the first generation of a projection, or continues an unfinished one, and makes it live. */
export async function loadFirst(
  context: Pick<EngineContext, 'projection' | 'store' | 'log' | 'reader' | 'logger'>,
  { lease, ended, withLongLease }: Leadership,
  executor: RequestExecutor,
  { onBegin, onCommit, onProgress }: LoadHooks,
): Promise<void> {
  const { store, logger, reader } = context
  const { name, version, collections } = context.projection
  // A lost model must not be built from a log that lacks what the other models know, such as removals.
  const [foreign] = (await foreignModels(store, reader)).values()
  if (foreign !== undefined) {
    await executor.refuseOpen(foreign)
    throw foreign
  }
  const unfinished = (await store.generations(name)).find((candidate) => candidate.state === 'loading' && candidate.version === version)
  const generation = unfinished ?? (await store.createGeneration(name, version, collections))
  onBegin()
  logger.info({ projection: name, generation: generation.number }, 'loading a generation')
  const job = { projection: name, generation, epoch: lease.epoch, maxRate: null, replaces: null }
  await buildGeneration({ ...context, withLongLease, onCommit }, job, ended, onProgress)
  if (ended.aborted) return
  await store.promote(generation, lease)
  logger.info({ projection: name, generation: generation.number }, 'generation is live')
  for (const request of await executor.requests.open(name)) {
    if (request.order.kind === 'rebuild' && request.generation === null)
      await executor.requests.finish(request, 'done', `generation ${generation.number} is live: there was none before`)
  }
}
