import type { Site } from './public-urls.js'

/** Subdomains that services of a domain have, or that programs look for by themselves. A creator may have one as a handle. */
const USUAL_NAMES = [
  ...['www', 'web', 'api', 'app', 'admin', 'auth', 'status', 'docs', 'mcp', 'metrics', 'assets', 'static', 'cdn', 'localhost'],
  ...['mail', 'webmail', 'smtp', 'imap', 'pop', 'mx', 'autoconfig', 'autodiscover', 'ftp', 'ns', 'ns1', 'ns2', 'wpad'],
]

/** The subdomains that are no creator's: the usual ones, and those of this service's own hosts. */
export function serviceNames({ publicDomain, baseUrl, webUrl }: Pick<Site, 'publicDomain'> & Partial<Site>): ReadonlySet<string> {
  const suffix = `.${new URL(`http://${publicDomain}`).hostname}`
  const own = [baseUrl, webUrl]
    .flatMap((url) => (url === undefined ? [] : [new URL(url).hostname]))
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
  return new Set([...USUAL_NAMES, ...own])
}
