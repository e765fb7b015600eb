import type { IncomingMessage } from 'node:http'
import type { Site } from '../../contract/public-urls.js'
import { serviceNames } from '../../contract/service-names.js'
import { Handle } from '../../events/index.js'
import { forwardedHeader } from '../request-state.js'

/** Paths that every creator's subdomain shares with the web host: assets, pictures and what robots ask for first. */
const SHARED_PATHS = /^\/(?:assets|covers|avatars)\/|^\/(?:robots\.txt|favicon\.ico)$/

/**
 * Rewrites `{handle}.{domain}/{slug}` to its path on the web host, `/@{handle}/{slug}`. A subdomain holds only that
 * creator's pages, so a slug may be a word that is a path elsewhere.
 */
export function rewriteCreatorSubdomain(site: Site, trustProxy: boolean): (request: IncomingMessage) => string {
  const suffix = `.${site.publicDomain.toLowerCase()}`
  const own = new URL(site.webUrl).host
  const names = serviceNames(site)
  return (request) => {
    const url = request.url ?? '/'
    const host = hostOf(request, trustProxy)
    if (host === own || !host.endsWith(suffix) || SHARED_PATHS.test(pathOf(url))) return url
    const handle = host.slice(0, -suffix.length)
    if (names.has(handle) || !Handle.safeParse(handle).success) return url
    return `/@${handle}${pathOf(url) === '/' ? url.slice(1) : url}`
  }
}

const hostOf = (request: IncomingMessage, trustProxy: boolean): string =>
  (forwardedHeader(request, 'x-forwarded-host', trustProxy) || (request.headers.host ?? '')).toLowerCase()

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
