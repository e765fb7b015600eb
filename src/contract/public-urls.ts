/** Where everything is: what all pages know about the service they belong to. */
export interface Site {
  /** Public origin of the api host. */
  baseUrl: string
  /** Public origin of the web host. */
  webUrl: string
  /** The domain whose subdomains are the creators. */
  publicDomain: string
}
