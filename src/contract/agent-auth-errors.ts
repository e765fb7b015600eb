/**
 * The error codes of the agent auth endpoints. There is no credential flow for agents, so only these two are ever sent;
 * `content/discovery/auth.md` has the others, which are reserved.
 */
export const AUTH_UNAVAILABLE = 'agent_auth_not_available'
export const EMAIL_UNAVAILABLE = 'email_not_enabled'

export type AuthErrorCode = typeof AUTH_UNAVAILABLE | typeof EMAIL_UNAVAILABLE
