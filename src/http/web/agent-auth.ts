import type { FastifyInstance } from 'fastify'
import { AUTH_UNAVAILABLE, type AuthErrorCode, EMAIL_UNAVAILABLE } from '../../contract/agent-auth-errors.js'
import { ServiceError } from '../../contract/errors.js'
import { sendError, toServiceError } from '../plugins/error-response.js'
import { parseForms } from '../plugins/request-body.js'

/** Errors of a body. Here they do not matter: the answer is the same for every body. */
const BODY_ERRORS: ReadonlySet<number> = new Set([400, 413, 415])

/** There are no credentials for agents; these endpoints exist so that programs can find that out. */
export function serveAgentAuth(app: FastifyInstance, webUrl: string): void {
  const refused = (authError: AuthErrorCode, message: string) =>
    new ServiceError('forbidden', `${message}: see ${webUrl}/auth.md.`, { authError })
  const noFlow = () => refused(AUTH_UNAVAILABLE, 'There are no credentials for agents, and none are needed')
  const noEmail = () => refused(EMAIL_UNAVAILABLE, 'People sign in by email in the mobile app only. Never ask anybody for a code')

  app.register(async (scope) => {
    // OAuth clients send forms: they must get the same answer as JSON.
    parseForms(scope)
    for (const step of ['register', 'claim', 'revoke']) {
      scope.post(`/agent/auth/${step}`, {
        errorHandler: (error, request, reply) => {
          const failure = toServiceError(error)
          sendError(BODY_ERRORS.has(failure.status) ? noFlow() : failure, request, reply)
        },
        handler: async ({ body }) => {
          throw step === 'claim' && isEmailClaim(body) ? noEmail() : noFlow()
        },
      })
    }
  })
}

/** By the method, or by the fields that only an email claim has. Their values are private and not looked at. */
function isEmailClaim(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return ('method' in body && body.method === 'email_code') || Object.hasOwn(body, 'email') || Object.hasOwn(body, 'code')
}
