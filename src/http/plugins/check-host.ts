import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

/** Refuses what leaves open which host is meant (RFC 9112, 3.2). Node would answer without a body, and take the first of two. */
export function checkHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = countHosts(raw)
    if (hosts === 0 && raw.httpVersion === '1.1') throw new ServiceError('invalid_request', 'HTTP/1.1 requires the header Host.')
    if (hosts > 1) throw new ServiceError('invalid_request', 'There is more than one header Host.')
    if (!isHostName(raw.headers.host ?? '')) throw new ServiceError('invalid_request', 'The header Host names no host.')
  })
}

/** Whether the request is clear about its host. */
export const namesOneHost = (request: IncomingMessage): boolean => countHosts(request) === 1 && isHostName(request.headers.host ?? '')

/** How often the header Host was sent. Looked at for every request, so without the lists that Node would make. */
function countHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** Without what else a URL may have between `//` and `/`: `user@host` would be taken for the host. */
export const isHostName = (host: string): boolean => /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i.test(host)
