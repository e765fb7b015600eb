/** The envelope of every JSON answer: `{code: 0, data}` or an error. */
import { z } from 'zod'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from './agent-auth-errors.js'
import { codeOf, ERROR_NAMES, isRetryable, type ServiceError } from './errors.js'

export const successEnvelope = <T>(data: T): { code: 0; data: T } => ({ code: 0, data })

export const errorEnvelope = ({ status, message, error, options: { details, authError } }: ServiceError, requestId: string) => ({
  code: codeOf(status),
  message,
  error: authError ?? error,
  retryable: isRetryable(status),
  request_id: requestId,
  ...(details === undefined ? {} : { details }),
})

export const ErrorEnvelope = z
  .object({
    code: z.int().min(1).meta({ description: 'Never 0: the HTTP status times one hundred, plus a sub-code.' }),
    message: z.string().meta({ description: 'For people. Do not parse it.' }),
    error: z.enum(ERROR_NAMES).meta({ description: 'For programs.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
    request_id: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Which fields are wrong, and why.' }),
  })
  .meta({ id: 'Error', description: 'The error envelope.' })

export const AgentAuthErrorEnvelope = ErrorEnvelope.extend({
  error: z.enum([AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE]).meta({ description: 'For programs.' }),
}).meta({ id: 'AgentAuthError', description: 'The error envelope of the agent auth endpoints.' })
