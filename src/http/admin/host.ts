import type { FastifyInstance } from 'fastify'
import type { Monitor } from '../../observe/monitor.js'
import { createHost, type HostOptions } from '../host.js'
import { type DashboardOptions, serveDashboard } from './dashboard.js'

export interface AdminHostOptions extends HostOptions {
  observatory: Monitor
  dashboard: Pick<DashboardOptions, 'token' | 'snapshot' | 'actions'>
}

/** For those who run it: is it alive, is it ready, what does it do. */
export async function createAdminHost({ observatory: monitor, dashboard, ...options }: AdminHostOptions): Promise<FastifyInstance> {
  // No other site may read anything here: a browser of somebody who runs the service reaches more than the site does.
  const app = await createHost({ ...options, cors: false })
  app.get('/health/live', async () => ({ status: 'alive' }))
  app.get('/health/ready', async (_request, reply) => {
    const readiness = await monitor.readiness()
    return reply.status(readiness.status === 'ready' ? 200 : 503).send(readiness)
  })
  app.get('/metrics', async (_request, reply) => {
    const ready = await monitor.readiness().then(
      ({ status }) => status === 'ready',
      () => false,
    )
    const { type, text } = await monitor.metrics.text(monitor.heartbeats, ready)
    return reply.type(type).header('Cache-Control', 'no-store').send(text)
  })
  const { metrics } = monitor
  serveDashboard(app, { ...dashboard, metrics, onChange: (listener) => monitor.onRefresh(listener) })
  return app
}
