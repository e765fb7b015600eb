/** What every process has, in any role: a monitor and the admin host. */

import type { Logger } from 'pino'
import { createAdminHost } from '../http/admin/host.js'
import { listen } from '../http/listen.js'
import { DisposalStack } from '../lib/resources.js'
import { takeDashboardSnapshot } from '../observe/dashboard-snapshot.js'
import { createTracer } from '../observe/tracing.js'
import type { Config } from './config.js'
import type { ModelSet } from './models/model-set.js'
import { createMonitor, type ProcessStores } from './process-stores.js'

export async function openAdmin(config: Config, logger: Logger, stores: ProcessStores, models: ModelSet) {
  const resources = new DisposalStack()
  return resources.disposeOnError(async () => {
    const { ROLES, ADMIN_HOST, ADMIN_PORT, TRUST_PROXY } = config
    const tracer = resources.adopt(await createTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT), (tracing) => tracing.stop())
    const roles = { projecting: ROLES.includes('project'), querying: ROLES.includes('query') }
    const monitor = resources.adopt(createMonitor(stores, models, { ...roles, logger, tracer }), (watching) => watching.stop())
    monitor.metrics.collectProcessMetrics()
    const { documents, jobs } = stores
    const dashboard = {
      token: config.ADMIN_TOKEN,
      snapshot: () => takeDashboardSnapshot(monitor, documents, jobs.summary()),
      actions: { store: documents, projections: models.projections, logger },
    }
    const telemetry = { host: 'admin', metrics: monitor.metrics, tracer }
    const host = await createAdminHost({ logger, trustProxy: TRUST_PROXY, monitor, dashboard, telemetry, ownName: ADMIN_HOST })
    resources.adopt(host, (listening) => listening.close())
    return {
      monitor,
      async listen() {
        await listen(host, ADMIN_HOST, ADMIN_PORT)
        monitor.start()
      },
      stop: () => resources.dispose(),
    }
  })
}
