/** Every URL that a discovery document names, in one place. */
import { SKILL_NAME } from '../contract/agent-operations.js'
import type { Origins } from '../contract/public-urls.js'

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
    authorizationServer: `${webUrl}/.well-known/oauth-authorization-server`,
    skills: `${webUrl}/.well-known/agent-skills/index.json`,
    skill: `${webUrl}/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`,
    sitemap: `${webUrl}/sitemap.xml`,
    register: `${webUrl}/agent/auth/register`,
    claim: `${webUrl}/agent/auth/claim`,
    revoke: `${webUrl}/agent/auth/revoke`,
  }
}
