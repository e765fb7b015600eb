import { SKILL_NAME } from './agent-operations.js'
import { serviceNames } from './service-names.js'

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

/**
 * The addresses of creators and their creations: subdomains of one domain. A handle that is the name of a host of the service has its
 * page on the web host instead, or it would be that host's address.
 */
export class PublicUrls {
  readonly #scheme: string
  readonly #domain: string
  readonly #webUrl: string
  readonly #serviceNames: ReadonlySet<string>

  /** Without a web host, the domain itself is one. */
  constructor(publicDomain: string, { baseUrl, webUrl }: Partial<Origins> = {}) {
    this.#domain = publicDomain
    // There is no certificate for localhost; everywhere else creators' pages use TLS.
    this.#scheme = /(^|\.)localhost(:\d+)?$/.test(publicDomain) ? 'http' : 'https'
    this.#webUrl = webUrl ?? `${this.#scheme}://${publicDomain}`
    this.#serviceNames = serviceNames({ publicDomain, ...(baseUrl && { baseUrl }), webUrl: this.#webUrl })
  }

  creator(handle: string): string {
    const name = handle.toLowerCase()
    return this.#serviceNames.has(name) ? `${this.#webUrl}/@${handle}` : `${this.#scheme}://${name}.${this.#domain}/`
  }

  creation(handle: string, slug: string): string {
    const creator = this.creator(handle)
    return `${creator}${creator.endsWith('/') ? '' : '/'}${slug}`
  }
}

/** Every URL that a discovery document names, in one place. */
export function serviceUrls({ baseUrl, webUrl }: Origins) {
  return {
    llms: `${webUrl}/llms.txt`,
    llmsFull: `${webUrl}/llms-full.txt`,
    openapi: `${webUrl}/openapi.json`,
    auth: `${webUrl}/auth.md`,
    reference: `${webUrl}/docs`,
    changelog: `${webUrl}/changelog`,
    status: `${webUrl}/status`,
    ask: `${webUrl}/ask`,
    jobs: `${webUrl}/ask/jobs`,
    batch: `${webUrl}/batch`,
    productMcp: `${baseUrl}/mcp`,
    docsMcp: `${webUrl}/mcp`,
    mcp: `${webUrl}/.well-known/mcp`,
    webmcp: `${webUrl}/.well-known/webmcp`,
    catalogue: `${webUrl}/.well-known/ai-catalog.json`,
    protectedResource: `${webUrl}/.well-known/oauth-protected-resource`,
    appResource: `${baseUrl}/.well-known/oauth-protected-resource/app`,
    authorizationServer: `${webUrl}/.well-known/oauth-authorization-server`,
    skills: `${webUrl}/.well-known/agent-skills/index.json`,
    skill: `${webUrl}/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`,
    sitemap: `${webUrl}/sitemap.xml`,
    register: `${webUrl}/agent/auth/register`,
    claim: `${webUrl}/agent/auth/claim`,
    revoke: `${webUrl}/agent/auth/revoke`,
  }
}
