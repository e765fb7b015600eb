import type { FastifyInstance } from 'fastify'
import type { Monitor } from '../../observe/monitor.js'
import { createHost, type HostOptions } from '../host.js'
import { type DashboardOptions, serveDashboard } from './dashboard.js'
import { rejectForeignRequests } from './foreign-requests.js'

export interface AdminHostOptions extends HostOptions {
  monitor: Monitor
  dashboard: Pick<DashboardOptions, 'token' | 'snapshot' | 'actions'>
  /** The name or address it listens on. */
  ownName?: string
}

/** For operators: health, metrics and the dashboard. */
export async function createAdminHost({ monitor, dashboard, ownName, ...options }: AdminHostOptions): Promise<FastifyInstance> {
  // No CORS: an operator's browser may reach this host where a foreign site cannot.
  const app = await createHost({ ...options, cors: false })
  if (dashboard.token === undefined) rejectForeignRequests(app, ownName)
  app.get('/health/live', async () => ({ status: 'alive' }))
  app.get('/health/ready', async (_request, reply) => {
    const readiness = await monitor.readiness()
    return reply.status(readiness.status === 'ready' ? 200 : 503).send(readiness)
  })
  const scrape = async () => {
    const ready = await monitor.readiness().then(
      ({ status }) => status === 'ready',
      () => false,
    )
    return monitor.metrics.text(ready)
  }
  /** Scrapes at the same time share one. */
  let scraping: ReturnType<typeof scrape> | null = null
  app.get('/metrics', async (_request, reply) => {
    scraping ??= scrape().finally(() => {
      scraping = null
    })
    const { type, text } = await scraping
    return reply.type(type).header('Cache-Control', 'no-store').send(text)
  })
  const { metrics } = monitor
  serveDashboard(app, { ...dashboard, metrics, onChange: (listener) => monitor.onRefresh(listener) })
  return app
}
