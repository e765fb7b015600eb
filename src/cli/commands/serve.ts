import { once } from 'node:events'
import { DEMO_EVENTS } from '../../../demo/defaults.js'
import { startApp } from '../../compose/app.js'
import { type Config, originOf } from '../../compose/config.js'
import { createLogger } from '../../compose/logger.js'
import { rebuildEdited } from '../../compose/models/edited-declarations.js'
import type { ModelSet } from '../../compose/models/model-set.js'
import { withDocuments, withLog } from '../../compose/stores.js'
import { waitForModels } from '../../compose/wait-for-models.js'
import { DisposalStack } from '../../lib/resources.js'
import { type Command, CommandError } from '../command-line.js'
import type { Io } from '../io.js'

const EXIT_AFTER_MS = 3000

export const serve: Command = {
  name: 'serve',
  summary: 'Project the log and serve the read models.',
  example: 'serve --demo',
  // The process checks it, and goes on trying while a store is away.
  models: 'declared',
  flags: {
    demo: {
      type: 'boolean',
      help: 'fill an empty log with demo data first, or go on where that was interrupted; creators live under localhost',
    },
    'rebuild-edited': { type: 'boolean', help: 'rebuild models whose declaration has changed, whatever their version; for development' },
  },
  async run(args) {
    const config = args.has('demo') ? withDemoDomain(args.config) : args.config
    const logger = createLogger(config)
    if (args.has('demo')) await seedIfUnfinished(config, args.models, args.io)
    const edited = args.has('rebuild-edited') ? await rebuildEdited(config, args.models) : []
    if (edited.length > 0) args.io.warn(`Rebuilding what was edited: ${edited.join(', ')}`)
    const resources = new DisposalStack()
    try {
      resources.adopt(await startApp(config, args.models, logger).catch(explainStartError), (app) => app.stop())
      const stop = new AbortController()
      const { signal } = stop
      args.io.onStop(() => stop.abort())
      const { requiredModels } = args.models
      if (config.ROLES.includes('query') && (await withDocuments(config, (store) => waitForModels(store, requiredModels, signal))))
        args.answer(addresses(config), welcome(config))
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await resources.dispose()
      // Everything is closed. A connection that a library forgot must not keep the process alive.
      args.io.exitAfter(EXIT_AFTER_MS)
    }
  },
}

const addresses = ({ BASE_URL, WEB_URL, ADMIN_HOST, ADMIN_PORT }: Config) => ({
  api: BASE_URL,
  web: WEB_URL,
  admin: originOf(ADMIN_HOST, ADMIN_PORT),
})

/** Makes the addresses in the demo's answers open on this machine. */
const withDemoDomain = (config: Config): Config =>
  config.PUBLIC_DOMAIN === 'vitrine.example' ? { ...config, PUBLIC_DOMAIN: `localhost:${config.WEB_PORT}` } : config

const seedIfUnfinished = (config: Config, models: ModelSet, io: Io): Promise<void> =>
  withLog(config, async (log) => {
    // Custom models add events of their own, so only generating them tells whether all are there.
    if ((await log.bounds()).last >= DEMO_EVENTS && models.own.length === 0) return
    const { seedDemo } = await import('./seed.js')
    await seedDemo(log, io, models, config.WEB_URL)
  })

function explainStartError(error: NodeJS.ErrnoException & { address?: string; port?: number }): never {
  const { code, syscall, path, address, port } = error
  if (code === 'EADDRINUSE') {
    throw new CommandError(`port ${port} is taken. Choose others with --api-port, --web-port and --admin-port.`)
  }
  if (syscall === 'listen' && (code === 'EACCES' || code === 'EADDRNOTAVAIL')) {
    throw new CommandError(`cannot listen on ${address}:${port} (${code})`)
  }
  // Exits instead of waiting: a supervisor restarts it, and sees until then that it is down, and why.
  if (path !== undefined && (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')) {
    throw new CommandError(`cannot write to ${path} (${code}). Make the folder writable and start it again.`)
  }
  throw error
}

function welcome(config: Config): string[] {
  const { api, web, admin } = addresses(config)
  return `
  Vitrine is ready.

  Gallery    ${web}/
  Reference  ${web}/docs
  Agents     ${web}/llms.txt
  Feed       ${api}/public/share/community
  Search     ${api}/public/share/community?q=garden&sort=liked
  Landing    ${api}/public/share/community/landing?locale=es
  Tags       ${api}/public/share/tags
  Dashboard  ${admin}/

  Stop with Ctrl+C.
`.split('\n')
}
