/** What is open to everyone and what only the mobile app may do, for programs. */
import { EMAIL_UNAVAILABLE } from '../contract/agent-auth-errors.js'
import { EMAIL_CODE_LENGTH } from '../contract/agent-operations.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'
import { discoveryText } from './discovery-text.js'

/** The `agent_auth` block: there is no flow to register for. */
export function agentAuthBlock(sites: Origins) {
  const { register, claim, revoke, auth } = serviceUrls(sites)
  return {
    status: 'not_available',
    register_uri: register,
    claim_uri: claim,
    revocation_uri: revoke,
    identity_types_supported: ['user'],
    anonymous: { credential_types_supported: [] },
    identity_assertion: { assertion_types_supported: [], credential_types_supported: [] },
    events_supported: [],
    documentation_uri: auth,
    skill: auth,
    email: {
      status: 'app_only',
      enabled_for_agents: false,
      credential_types_supported: [],
      unsupported_error: EMAIL_UNAVAILABLE,
      template: {
        identity_type: 'user',
        delivery: 'email_code',
        code_format: 'numeric',
        code_length: EMAIL_CODE_LENGTH,
        recipient_field: 'email',
        public_agent_flow: false,
        user_action: 'Open the mobile app and sign in there. A code from an email belongs into the app and nowhere else.',
      },
    },
  }
}

/** The path of `protectedResource` on the api host: RFC 9728 puts the path of the resource behind the well-known one. */
export const APP_RESOURCE_PATH = '/.well-known/oauth-protected-resource/app'

/** RFC 9728, about `{base_url}/app`. It omits empty arrays; those of the `agent_auth` block are required. */
export const protectedResource = (sites: Origins) => ({
  resource: `${sites.baseUrl}/app`,
  authorization_servers: [sites.webUrl],
  bearer_methods_supported: ['header'],
  resource_name: 'Vitrine: the private endpoints of the mobile app',
  resource_documentation: serviceUrls(sites).auth,
  agent_auth: agentAuthBlock(sites),
})

/** RFC 8414, for a server that issues no tokens to agents. */
export const authorizationServer = (sites: Origins) => ({
  issuer: sites.webUrl,
  response_types_supported: ['none'],
  service_documentation: serviceUrls(sites).auth,
  agent_auth: agentAuthBlock(sites),
})

/** `auth.md`: which surface needs which authentication. */
export const authMarkdown = (sites: Origins): string =>
  discoveryText('auth.md', sites, {
    codeLength: EMAIL_CODE_LENGTH,
    block: JSON.stringify({ agent_auth: agentAuthBlock(sites) }, null, 2),
  })
