/** What every process has, whatever its roles: somebody who looks at it, and a host to be asked on. */
import type { Logger } from 'pino'
import type { JobSummary } from '../ask/jobs/job-projection.js'
import { createAdminHost } from '../http/admin/host.js'
import { listen } from '../http/listen.js'
import { DisposalStack } from '../lib/resources.js'
import { AdminActions } from '../observe/admin-actions.js'
import { takeDashboardSnapshot } from '../observe/dashboard-snapshot.js'
import { Monitor } from '../observe/monitor.js'
import { createTracer } from '../observe/tracing.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { Config } from './config.js'
import { projections } from './models.js'

export interface AdminStores {
  store: DocumentStore
  log: () => Promise<EventLog>
  jobs: () => JobSummary | null
}

export interface Admin {
  observatory: Monitor
  listen(): Promise<void>
  /** The stores are whoever's opened them. */
  stop(): Promise<void>
}

export async function openAdmin(config: Config, logger: Logger, stores: AdminStores): Promise<Admin> {
  const resources = new DisposalStack()
  return resources.disposeOnError(async () => {
    const { ROLES, ADMIN_HOST, ADMIN_PORT, TRUST_PROXY } = config
    const roles = { projecting: ROLES.includes('project'), querying: ROLES.includes('query') }
    const tracer = resources.adopt(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
    const parts = { ...stores, ...roles, projections, logger, tracer }
    const monitor = resources.adopt(new Monitor(parts), (watching) => watching.stop())
    monitor.metrics.collectProcessMetrics()
    const { store, jobs } = stores
    const dashboard = {
      token: config.ADMIN_TOKEN,
      snapshot: () => takeDashboardSnapshot(monitor, store, jobs()),
      actions: new AdminActions({ store, projections, logger }),
    }
    const telemetry = { host: 'admin', metrics: monitor.metrics, tracer }
    const host = await createAdminHost({ logger, trustProxy: TRUST_PROXY, monitor, dashboard, telemetry })
    resources.adopt(host, (listening) => listening.close())
    return {
      observatory: monitor,
      async listen() {
        await listen(host, ADMIN_HOST, ADMIN_PORT)
        monitor.start()
      },
      stop: () => resources.dispose(),
    }
  })
}
