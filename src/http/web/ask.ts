import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextPageRequest } from '../../ask/answer/text-pages.js'
import type { Ask } from '../../ask/ask.js'
import type { Language } from '../../ask/languages.js'
import { type Mode, toQuestion } from '../../ask/request.js'
import { type AskEvent, type AskResponse, NLWEB_VERSION } from '../../ask/response.js'
import { errorEnvelope } from '../../contract/envelope.js'
import { notFound } from '../../contract/errors.js'
import { isLocale } from '../../contract/locale.js'
import { abortOnClose } from '../abort-on-close.js'
import { logFailure, toServiceError } from '../plugins/error-response.js'
import { sendWithEtag } from '../plugins/etag.js'
import { JSON_TYPE } from '../plugins/response-headers.js'
import { questionCost, readCost } from '../rate-limit/costs.js'
import { stateOf } from '../request-state.js'

const PATHS = ['/ask', '/api/ask', '/nlweb/ask', '/:locale/ask']

/** The ask endpoint under its four paths. */
export function serveAsk(app: FastifyInstance, ask: Ask): void {
  for (const path of PATHS) {
    app.post(path, {
      config: {
        idempotent: true,
        kind: 'question',
        cost: ({ body }) => questionCost(body),
        releasesSlotEarly: true,
        hasPath: ({ locale }) => locale === undefined || isLocale(locale),
      },
      handler: async (request, reply) => {
        const question = toQuestion(request.body, { locale: pathLocale(request), acceptLanguage: request.headers['accept-language'] })
        const languages = ask.languagesOf(question)
        const signal = abortOnClose(reply)
        const state = stateOf(request.raw)
        const options = { signal, onDrafted: () => state.releaseSlot?.(), languages, caller: state.caller }
        const answer = () => ask.ask(question, options)
        reply.header('Cache-Control', 'no-store')
        if (question.streaming) {
          const events = askEvents({ mode: question.mode, locale: languages.answer }, answer, signal, request)
          // Proxies must not buffer the events.
          return reply
            .type('text/event-stream; charset=utf-8')
            .header('X-Accel-Buffering', 'no')
            .header('Content-Language', languages.answer)
            .send(Readable.from(events, { objectMode: false }))
        }
        const response = await answer()
        return reply.type(JSON_TYPE).header('Content-Language', response._meta.locale).send(JSON.stringify(response))
      },
    })
  }
}

const pathLocale = ({ params }: FastifyRequest): string | undefined => (params as { locale?: string }).locale

/** An answer as server-sent events. The type is in the data too, for clients that read only that. */
async function* askEvents(
  asked: { mode: Mode; locale: Language },
  answer: () => Promise<AskResponse>,
  signal: AbortSignal,
  request: FastifyRequest,
): AsyncGenerator<string> {
  const meta = { version: NLWEB_VERSION, ...asked }
  // The type of the response is not known yet.
  yield encoded({ message_type: 'start', _meta: { ...meta, streaming: true } })
  let response: AskResponse
  try {
    response = await answer()
  } catch (error) {
    if (signal.aborted) return
    stateOf(request.raw).hasTransientFailure = true
    const failure = toServiceError(error)
    logFailure(failure, error, request)
    // The status is sent already, so the failure goes into the stream.
    yield encoded({
      message_type: 'complete',
      _meta: { response_type: 'failure', ...meta, total_items: 0 },
      ...errorEnvelope(failure, request.id),
      // Never one of the agent auth endpoints' own names.
      error: failure.error,
    })
    return
  }
  const { results, _meta, ...rest } = response
  for (const [index, item] of results.entries()) yield encoded({ message_type: 'result', index, item })
  yield encoded({ message_type: 'complete', ...rest, _meta: { ..._meta, total_items: results.length } })
}

const encoded = (event: AskEvent): string => `event: ${event.message_type}\ndata: ${JSON.stringify(event)}\n\n`

/** Public reads as plain text: what ask cites, for people and programs to check. */
export function serveTextReads(app: FastifyInstance, ask: Ask): void {
  const serve = (path: string, pageOf: (params: { handle: string; slug: string }, query: unknown) => TextPageRequest) =>
    // The path names the parameters that `pageOf` uses.
    app.get(path, { config: { cost: ({ query }) => readCost(query) } }, async (request, reply) =>
      sendText(request, reply, ask, pageOf(request.params as { handle: string; slug: string }, request.query)),
    )
  serve('/text/community', (_, query) => ({ page: 'community', query }))
  serve('/text/tags', () => ({ page: 'tags' }))
  serve('/text/categories', () => ({ page: 'categories' }))
  serve('/text/user/:handle', ({ handle }) => ({ page: 'creator', handle }))
  serve('/text/user/:handle/followers', ({ handle }) => ({ page: 'followers', handle }))
  serve('/text/user/:handle/following', ({ handle }) => ({ page: 'following', handle }))
  serve('/text/app/:handle/:slug', ({ handle, slug }) => ({ page: 'creation', handle, slug }))
}

async function sendText(request: FastifyRequest, reply: FastifyReply, ask: Ask, wanted: TextPageRequest): Promise<FastifyReply> {
  const { locale } = request.query as { locale?: unknown }
  const { language, readout, position } = await ask.textPage(wanted, typeof locale === 'string' ? locale : 'en', {
    caller: stateOf(request.raw).caller,
  })
  if (readout === null) throw notFound('There is nothing public under this name.')
  reply.header('Content-Language', language)
  if (position !== null) reply.header('Service-Position', position)
  return sendWithEtag(request, reply, 'text/plain; charset=utf-8', `${readout.lines.join('\n')}\n`)
}
