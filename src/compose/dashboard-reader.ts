import { z } from 'zod'
import { DisposalStack } from '../lib/resources.js'
import { type DashboardSnapshot, takeDashboardSnapshot } from '../observe/dashboard-snapshot.js'
import { OperationTimes } from '../observe/durations.js'
import { type Config, originOf } from './config.js'
import { createLogger } from './logger.js'
import type { ModelSet } from './models/model-set.js'
import { createMonitor, openProcessStores } from './process-stores.js'

/** How long to wait for a process that may not run. */
const TIMEOUT_MS = 1000

/** Known only to a process that serves or projects. */
const ProcessFigures = z.object({ operations: z.array(OperationTimes) })

const NO_FIGURES: z.infer<typeof ProcessFigures> = { operations: [] }

/**
 * The dashboard's data, read from the stores, so that it works while no process serves. Only a serving process knows how
 * long reads take, so it is asked for that.
 */
export function openDashboard(config: Config, models: ModelSet) {
  const resources = new DisposalStack()
  /** The address of that process. */
  const adminUrl = originOf(config.ADMIN_HOST, config.ADMIN_PORT)
  const open = async () => {
    const logger = createLogger({ ...config, LOG_LEVEL: 'silent' })
    const stores = await openProcessStores(config, models, logger, resources)
    stores.jobs.start()
    const monitor = createMonitor(stores, models, { projecting: false, querying: true, logger })
    return () => takeDashboardSnapshot(monitor, stores.documents, stores.jobs.summary())
  }
  let readStores: (() => Promise<DashboardSnapshot>) | null = null
  return {
    adminUrl,
    async read(): Promise<DashboardSnapshot> {
      readStores ??= await resources.disposeOnError(open)
      return { ...(await readStores()), ...(await askProcess(adminUrl, config.ADMIN_TOKEN)) }
    },
    close: () => resources.dispose(),
  }
}

async function askProcess(adminUrl: string, token: string | undefined): Promise<z.infer<typeof ProcessFigures>> {
  try {
    const answer = await fetch(`${adminUrl}/board`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.ok ? ProcessFigures.parse(await answer.json()) : NO_FIGURES
  } catch {
    return NO_FIGURES
  }
}
