import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from '../../contract/agent-auth-errors.js'
import { ServiceError } from '../../contract/errors.js'
import { sendError, toServiceError } from '../plugins/error-response.js'

/** What a body can have wrong with it. None of that matters here: the answer is no, whatever comes. */
const BODY_ERRORS: ReadonlySet<number> = new Set([400, 413, 415])

const FORM = 'application/x-www-form-urlencoded'

/** There are no credentials for agents; these addresses exist so that programs can find that out. */
export function serveAgentAuth(app: FastifyInstance, webUrl: string): void {
  const noFlow = () =>
    new ServiceError('forbidden', `There are no credentials for agents, and none are needed: see ${webUrl}/auth.md.`, {
      authError: AUTH_UNAVAILABLE,
    })
  const noEmail = () =>
    new ServiceError('forbidden', `People sign in by email in the mobile app only. Never ask anybody for a code: see ${webUrl}/auth.md.`, {
      authError: EMAIL_UNAVAILABLE,
    })

  app.register(async (scope) => {
    // Elsewhere a form is a 415. Here it is understood, because it must get the same no as the JSON it stands for.
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
      Object.fromEntries(new URLSearchParams(text)),
    )
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

/** By the method, or by the fields only an email claim has. That they are there is enough: what they hold is nobody's business. */
function isEmailClaim(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return ('method' in body && body.method === 'email_code') || Object.hasOwn(body, 'email') || Object.hasOwn(body, 'code')
}
