/** The boundary between what anybody may do and what only the mobile app may, in a form that programs can read. */
import { EMAIL_UNAVAILABLE } from '../contract/agent-auth-errors.js'
import { EMAIL_CODE_LENGTH } from '../contract/published-names.js'
import type { Origins } from './openapi/types.js'
import { serviceUrls } from './service-urls.js'

/** The `agent_auth` block: says that there is nothing to register for. */
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

/** RFC 9728. Empty arrays of its own are left out; those of the block are part of what it says. */
export const protectedResource = (sites: Origins) => ({
  resource: sites.baseUrl,
  authorization_servers: [sites.webUrl],
  bearer_methods_supported: ['header'],
  resource_name: 'Vitrine: the private endpoints of the mobile app',
  resource_documentation: serviceUrls(sites).auth,
  agent_auth: agentAuthBlock(sites),
})

/** RFC 8414, of a server that issues nothing to anybody who can read this. */
export const authorizationServer = (sites: Origins) => ({
  issuer: sites.webUrl,
  response_types_supported: ['none'],
  service_documentation: serviceUrls(sites).auth,
  agent_auth: agentAuthBlock(sites),
})
