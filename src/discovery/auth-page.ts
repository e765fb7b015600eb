import { AUTH_ERRORS } from '../contract/agent-auth-errors.js'
import { EMAIL_CODE_LENGTH } from '../contract/published-names.js'
import { agentAuthBlock } from './agent-auth.js'
import type { Origins } from './openapi/types.js'
import { serviceUrls } from './service-urls.js'

/** `auth.md`: who needs what, for agents and for those who write them. */
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
[${at.protectedResource}](${at.protectedResource}). 403 means that an app session may not do what it tried.

## The agent auth endpoints

\`POST ${at.register}\`, \`POST ${at.claim}\` and \`POST ${at.revoke}\` exist so that programs can find out that there is no
flow. They answer 403 with \`agent_auth_not_available\`, and a claim by email with \`email_not_enabled\`, whatever is sent.

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
