import type { IncomingMessage } from 'node:http'
import type { Site } from '../../contract/public-urls.js'
import { Handle } from '../../events/index.js'

/** What every creator's address shares with the web host: things pages are made of, and what robots look for first. */
const SHARED_PATHS = /^\/(?:assets|covers|avatars)\/|^\/(?:robots\.txt|favicon\.ico)$/

/**
 * Gives `{handle}.{domain}/{slug}` the address it has on the web host, `/@{handle}/{slug}`. Nothing but that creator's
 * pages is found under a creator's name, so a slug can be any word that is a path elsewhere.
 */
export function rewriteCreatorSubdomain({ publicDomain, webUrl }: Site, trustProxy: boolean): (request: IncomingMessage) => string {
  const suffix = `.${publicDomain.toLowerCase()}`
  const own = new URL(webUrl).host
  return (request) => {
    const url = request.url ?? '/'
    const host = hostOf(request, trustProxy)
    if (host === own || !host.endsWith(suffix) || SHARED_PATHS.test(pathOf(url))) return url
    const handle = host.slice(0, -suffix.length)
    if (!Handle.safeParse(handle).success) return url
    return `/@${handle}${pathOf(url) === '/' ? url.slice(1) : url}`
  }
}

function hostOf({ headers }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers['x-forwarded-host'] : undefined
  // The last one is what the proxy in front of us has added.
  const given = [forwarded].flat().at(-1)?.split(',').at(-1)?.trim() || headers.host
  return (given ?? '').toLowerCase()
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
