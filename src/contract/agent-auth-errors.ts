/**
 * Every error code of the agent auth endpoints; `auth.md` prints this table. There is no credential flow for agents, so only
 * the first and `email_not_enabled` are ever sent. The others are reserved.
 */
type AuthEndpoint = 'register' | 'claim' | 'revocation' | 'protected API'

const REGISTER = ['register'] as const
const CLAIM = ['claim'] as const
const ANY = ['register', 'claim', 'revocation'] as const

const IN_THE_APP = 'the person must act in the mobile app'

export const AUTH_ERRORS = [
  { code: 'agent_auth_not_available', endpoints: ANY, meaning: 'no public agent credential flow' },
  { code: 'invalid_issuer', endpoints: ['register', 'revocation'], meaning: 'assertion issuer not trusted' },
  { code: 'invalid_signature', endpoints: ['register', 'revocation'], meaning: 'signature verification failed' },
  { code: 'expired', endpoints: ['register', 'claim'], meaning: 'assertion or flow token expired' },
  { code: 'replay_detected', endpoints: REGISTER, meaning: 'assertion identifier or nonce already used' },
  { code: 'invalid_audience', endpoints: REGISTER, meaning: 'audience is not the web host or the API host' },
  { code: 'audience_mismatch', endpoints: REGISTER, meaning: 'audience is not the web host or the API host' },
  { code: 'invalid_client_id', endpoints: REGISTER, meaning: 'provider client id unknown' },
  { code: 'invalid_client', endpoints: REGISTER, meaning: 'client authentication failed or client unknown' },
  { code: 'missing_verified_email', endpoints: REGISTER, meaning: 'assertion lacks a verified email or phone claim' },
  {
    code: 'unsupported_credential_type',
    endpoints: REGISTER,
    meaning: 'requested credential type (api key or access token) unsupported',
  },
  { code: 'insufficient_user_authentication', endpoints: REGISTER, meaning: 'provider authentication context below policy' },
  { code: 'anonymous_not_enabled', endpoints: REGISTER, meaning: 'anonymous registration disabled' },
  { code: 'identity_assertion_not_enabled', endpoints: REGISTER, meaning: 'identity assertions not accepted' },
  { code: 'email_not_enabled', endpoints: ['register', 'claim'], meaning: 'email claim flow disabled; do not ask a person for a code' },
  { code: 'credential_expired', endpoints: ['protected API'], meaning: 'credential expired' },
  { code: 'invalid_claim_token', endpoints: CLAIM, meaning: 'claim token malformed or unknown' },
  { code: 'claimed_or_in_flight', endpoints: CLAIM, meaning: 'claim already complete or in progress' },
  { code: 'claim_expired', endpoints: CLAIM, meaning: 'claim token expired' },
  { code: 'previously_claimed', endpoints: CLAIM, meaning: 'claim already completed' },
  { code: 'otp_invalid', endpoints: CLAIM, meaning: 'one-time code incorrect' },
  { code: 'otp_expired', endpoints: CLAIM, meaning: 'one-time code expired' },
  { code: 'invalid_grant', endpoints: CLAIM, meaning: 'grant, assertion, code or claim token invalid' },
  { code: 'unsupported_grant_type', endpoints: CLAIM, meaning: 'grant type unsupported' },
  { code: 'unsupported_response_type', endpoints: REGISTER, meaning: 'response type unsupported' },
  { code: 'interaction_required', endpoints: CLAIM, meaning: IN_THE_APP },
  { code: 'login_required', endpoints: CLAIM, meaning: IN_THE_APP },
  { code: 'consent_required', endpoints: CLAIM, meaning: IN_THE_APP },
  { code: 'account_selection_required', endpoints: CLAIM, meaning: IN_THE_APP },
  { code: 'invalid_request', endpoints: ANY, meaning: 'a parameter is missing, repeated or malformed' },
  { code: 'unauthorized_client', endpoints: ANY, meaning: 'the client may not use this flow' },
  { code: 'invalid_scope', endpoints: ANY, meaning: 'the scope is unknown or malformed' },
  { code: 'access_denied', endpoints: ANY, meaning: 'the person or the server refused' },
  { code: 'server_error', endpoints: ANY, meaning: 'something went wrong here' },
  { code: 'temporarily_unavailable', endpoints: ANY, meaning: 'overloaded or under maintenance: try again later' },
  { code: 'rate_limited', endpoints: ANY, meaning: 'too many requests: wait for Retry-After' },
] as const satisfies readonly { code: string; endpoints: readonly AuthEndpoint[]; meaning: string }[]

export type AuthErrorCode = (typeof AUTH_ERRORS)[number]['code']

/** The codes that are sent today. */
export const AUTH_UNAVAILABLE = 'agent_auth_not_available' satisfies AuthErrorCode
export const EMAIL_UNAVAILABLE = 'email_not_enabled' satisfies AuthErrorCode
