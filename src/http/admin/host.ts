import type { FastifyInstance } from 'fastify'
import { type DocumentStore, ModelUnavailableError } from '../../ports/document-store.js'
import { createHost, type HostOptions } from '../host.js'

export interface AdminHostOptions extends HostOptions {
  store: DocumentStore
  models: readonly string[]
}

/** For those who run it: is it alive, is it ready. */
export async function createAdminHost({ store, models, ...options }: AdminHostOptions): Promise<FastifyInstance> {
  const app = await createHost(options)
  app.get('/health/live', async () => ({ status: 'alive' }))
  app.get('/health/ready', async (_request, reply) => {
    const missing = await notLoaded(store, models)
    return reply.status(missing.length === 0 ? 200 : 503).send({ status: missing.length === 0 ? 'ready' : 'loading', missing })
  })
  return app
}

async function notLoaded(store: DocumentStore, models: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const model of models) {
    try {
      ;(await store.snapshot([model])).release()
    } catch (error) {
      if (!(error instanceof ModelUnavailableError)) throw error
      missing.push(model)
    }
  }
  return missing
}
