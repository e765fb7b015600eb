const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export interface AllowedHostsOptions {
  /** Origins under which the service is known. */
  urls: readonly string[]
  /** Its subdomains are the creators' pages, which are ours too. */
  publicDomain: string
}

/** The names this service goes by. A browser that names another one is showing somebody else's page, whatever its address resolves to. */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>
  readonly #domain: string

  constructor({ urls, publicDomain }: AllowedHostsOptions) {
    const names = urls.map((url) => new URL(url).hostname)
    // Who is known under one name of this machine is known under all of them.
    this.#names = new Set(names.some(isLoopback) ? [...names, ...LOOPBACK] : names)
    this.#domain = new URL(`http://${publicDomain}`).hostname
  }

  /** For the header Host. */
  includesHost(host: string): boolean {
    return this.#includes(hostnameOf(`http://${host}`))
  }

  /** For the header Origin. */
  includesOrigin(origin: string): boolean {
    return /^https?:\/\//i.test(origin) && this.#includes(hostnameOf(origin))
  }

  #includes(name: string | null): boolean {
    return name !== null && (this.#names.has(name) || name === this.#domain || name.endsWith(`.${this.#domain}`))
  }
}

const isLoopback = (name: string): boolean => LOOPBACK.includes(name)

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}
