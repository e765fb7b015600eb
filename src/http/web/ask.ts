import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ask } from '../../ask/ask.js'
import { toQuestion } from '../../ask/request.js'
import { notFound } from '../../operations/errors.js'
import { isLocale } from '../../operations/locale.js'

const PATHS = ['/ask', '/api/ask', '/nlweb/ask', '/:locale/ask']

/** The ask endpoint under its four addresses. */
export function serveAsk(app: FastifyInstance, ask: Ask): void {
  for (const path of PATHS) {
    app.post(path, {
      config: { idempotent: true },
      onRequest: async (request) => {
        pathLocale(request)
      },
      handler: async (request, reply) => {
        const question = toQuestion(request.body, { locale: pathLocale(request), acceptLanguage: request.headers['accept-language'] })
        const answer = await ask.ask(question)
        reply.headers({ 'Cache-Control': 'no-store', 'Content-Language': answer._meta.locale })
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
      },
    })
  }
}

function pathLocale(request: FastifyRequest): string | undefined {
  const { locale } = request.params as { locale?: string }
  if (locale !== undefined && !isLocale(locale)) throw notFound('There is nothing at this path: the first part must be a language tag.')
  return locale
}
