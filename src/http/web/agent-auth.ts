import type { FastifyInstance } from 'fastify'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from '../../operations/agents/auth-errors.js'
import { ServiceError } from '../../operations/errors.js'
import { answerError, toServiceError } from '../errors.js'

/** What a body can have wrong with it. None of that matters here: the answer is no, whatever comes. */
const ABOUT_BODIES: ReadonlySet<number> = new Set([400, 413, 415])

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

  for (const step of ['register', 'claim', 'revoke']) {
    app.post(`/agent/auth/${step}`, {
      errorHandler: (error, request, reply) => {
        const failure = toServiceError(error)
        answerError(ABOUT_BODIES.has(failure.status) ? noFlow() : failure, request, reply)
      },
      // What the body holds beside the method, an email or a code perhaps, is nobody's business: not looked at, not kept.
      handler: async ({ body }) => {
        throw step === 'claim' && isEmailClaim(body) ? noEmail() : noFlow()
      },
    })
  }
}

const isEmailClaim = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'email_code'
