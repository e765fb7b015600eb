/** What is open to everyone and what only the mobile app may do, for programs. */
import { AUTH_ERRORS, EMAIL_UNAVAILABLE } from '../contract/agent-auth-errors.js'
import { EMAIL_CODE_LENGTH } from '../contract/agent-operations.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'

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
export function authMarkdown(sites: Origins): string {
  const at = serviceUrls(sites)
  const rows = AUTH_ERRORS.map(({ code, endpoints, meaning }) => `| \`${code}\` | ${endpoints.join(', ')} | ${meaning} |`)
  return `# Authentication

Everything public is open: no key, no token, no registration. There is nothing here that an agent could sign in to.

| surface | authentication | who |
| --- | --- | --- |
| Public read API | none | anyone, including agents |
| App build / write API | app-issued bearer token | the mobile app only |
| Account sign-in | identity provider or email code | end users, in the app |

## For agents

- Use the public reads, ask, batch and MCP without credentials: [llms.txt](${at.llms}), [OpenAPI](${at.openapi}).
- **Never collect an email address. Never ask a person to paste a one-time code, a password or an app token into a chat.**
  Nothing here takes one.
- To build, edit, publish or buy, the person opens the mobile app. There is no API for it, and no checkout.

## For people

You sign in inside the mobile app, with a platform identity provider, a web identity provider or a one-time code by email.
The app then holds a short-lived access token and a longer-lived refresh token of its own. To revoke access, sign out in the
app or revoke it at the identity provider.

## Protected paths

\`${sites.baseUrl}/app/*\` answers 401 with \`WWW-Authenticate: Bearer\` and the parameter \`resource_metadata\`, which names
[${at.protectedResource}](${at.protectedResource}); the same document is where RFC 9728 looks for it,
[${at.appResource}](${at.appResource}). 403 means that an app session may not do what it tried.

## The agent auth endpoints

\`POST ${at.register}\`, \`POST ${at.claim}\` and \`POST ${at.revoke}\` exist so that programs can find out that there is no
flow. They answer 403 with \`agent_auth_not_available\`, and a claim by email with \`email_not_enabled\`.

A claim by email would have these fields if it were enabled, which it is not:

| field | type | rule |
| --- | --- | --- |
| \`method\` | string | always \`email_code\` |
| \`email\` | string, email format | of the end user |
| \`code\` | string | \`^[0-9]{${EMAIL_CODE_LENGTH}}$\` |
| \`claim_token\` | string | opaque, from the register URI |

The same in a form for programs, also part of [the OAuth metadata](${at.authorizationServer}):

\`\`\`json
${JSON.stringify({ agent_auth: agentAuthBlock(sites) }, null, 2)}
\`\`\`

## Codes

Only \`agent_auth_not_available\` and \`email_not_enabled\` are answered today. The others are reserved for a flow to come.

| code | endpoint | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
}
