import { SKILL_NAME } from './agent-operations.js'

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
