import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

/**
 * Without a token the network alone protects the admin host. A proxy would let its callers in, and a foreign name that
 * resolves to us would let in the page that has it. Addresses are fine: probes send them.
 */
export function rejectForeignRequests(app: FastifyInstance, ownName: string | undefined): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (cameByProxy(headers))
      throw new ServiceError('forbidden', 'Without ADMIN_TOKEN the admin host answers nothing that came by a proxy.')
    if (headers.host !== undefined && !isOwnName(headers.host, ownName))
      throw new ServiceError('forbidden', 'Without ADMIN_TOKEN the admin host answers to its address and to localhost, not to other names.')
    // It could read nothing, but keep the process busy.
    if (OTHER_PAGES.has(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate')
      throw new ServiceError('forbidden', 'Without ADMIN_TOKEN the admin host answers no pages of other sites.')
  })
}

/** Another port of the same name is the same site. */
const OTHER_PAGES = new Set(['cross-site', 'same-site'])

const cameByProxy = (headers: IncomingHttpHeaders): boolean =>
  ['via', 'x-real-ip', 'forwarded'].some((name) => headers[name] !== undefined) ||
  Object.keys(headers).some((name) => name.startsWith('x-forwarded-'))

function isOwnName(host: string, ownName: string | undefined): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.toLowerCase()) ?? []
  return name === 'localhost' || name === ownName?.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}
