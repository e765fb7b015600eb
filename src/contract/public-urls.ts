/** The public origins of the two hosts. */
export interface Origins {
  /** Of the api host. */
  baseUrl: string
  /** Of the web host. */
  webUrl: string
}

export interface Site extends Origins {
  /** The domain whose subdomains are the creators. */
  publicDomain: string
}

/** The addresses of creators and their creations: subdomains of one domain. */
export class PublicUrls {
  readonly #scheme: string
  readonly #domain: string

  constructor(publicDomain: string) {
    this.#domain = publicDomain
    // There is no certificate for localhost; everywhere else creators' pages use TLS.
    this.#scheme = /(^|\.)localhost(:\d+)?$/.test(publicDomain) ? 'http' : 'https'
  }

  creator(handle: string): string {
    return `${this.#scheme}://${handle.toLowerCase()}.${this.#domain}/`
  }

  creation(handle: string, slug: string): string {
    return this.creator(handle) + slug
  }
}
