/** What every process has, whatever its roles: somebody who looks at it, and a host to be asked on. */
import type { Logger } from 'pino'
import type { JobSummary } from '../ask/jobs/job-projection.js'
import { createAdminHost } from '../http/admin/host.js'
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
  const opened = new DisposalStack()
  return opened.disposeOnError(async () => {
    const { ROLES, ADMIN_HOST, ADMIN_PORT, TRUST_PROXY } = config
    const roles = { projecting: ROLES.includes('project'), querying: ROLES.includes('query') }
    const tracer = opened.adopt(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
    const parts = { ...stores, ...roles, projections, logger, tracer }
    const observatory = opened.adopt(new Monitor(parts), (watching) => watching.stop())
    observatory.metrics.collectProcessMetrics()
    const { store, jobs } = stores
    const dashboard = {
      token: config.ADMIN_TOKEN,
      snapshot: () => takeDashboardSnapshot(observatory, store, jobs()),
      actions: new AdminActions({ store, projections, logger }),
    }
    const observed = { host: 'admin', metrics: observatory.metrics, tracer }
    const host = await createAdminHost({ logger, trustProxy: TRUST_PROXY, observatory, dashboard, telemetry: observed })
    opened.adopt(host, (listening) => listening.close())
    return {
      observatory,
      async listen() {
        await host.listen({ host: ADMIN_HOST, port: ADMIN_PORT })
        observatory.start()
      },
      stop: () => opened.dispose(),
    }
  })
}
