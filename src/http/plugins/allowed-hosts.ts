import { isHostName } from './check-host.js'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export interface AllowedHostsOptions {
  /** The public origins of the service. */
  urls: readonly string[]
  /** Its subdomains are the creators' pages. */
  publicDomain: string
  /** Origins of other sites whose pages may call us. */
  origins?: readonly string[]
}

/** The host names of this service. A browser that sends another one shows a foreign page, whose name may resolve to us. */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>
  readonly #domain: string
  readonly #origins: ReadonlySet<string>

  constructor({ urls, publicDomain, origins = [] }: AllowedHostsOptions) {
    const names = urls.map((url) => new URL(url).hostname)
    // With one loopback name, all of them are ours.
    this.#names = new Set(names.some((name) => LOOPBACK.includes(name)) ? [...names, ...LOOPBACK] : names)
    this.#domain = new URL(`http://${publicDomain}`).hostname
    this.#origins = new Set(origins.map((origin) => new URL(origin).origin))
  }

  /** For the header Host. */
  includesHost(host: string): boolean {
    return isHostName(host) && this.#includes(`http://${host}`)
  }

  /** For the header Origin. */
  includesOrigin(origin: string): boolean {
    return this.#origins.has(origin) || (/^https?:\/\//i.test(origin) && this.#includes(origin))
  }

  #includes(url: string): boolean {
    if (!URL.canParse(url)) return false
    const { hostname } = new URL(url)
    return this.#names.has(hostname) || hostname === this.#domain || hostname.endsWith(`.${this.#domain}`)
  }
}
