import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextPageRequest } from '../../ask/answer/text-pages.js'
import type { Ask } from '../../ask/ask.js'
import { type Question, toQuestion } from '../../ask/request.js'
import { type AskResponse, NLWEB_VERSION } from '../../ask/response.js'
import { notFound } from '../../contract/errors.js'
import { isLocale } from '../../contract/locale.js'
import { toServiceError } from '../plugins/error-response.js'
import { sendWithEtag } from '../plugins/etag.js'
import { JSON_TYPE } from '../plugins/response-headers.js'
import { stateOf } from '../request-state.js'

const PATHS = ['/ask', '/api/ask', '/nlweb/ask', '/:locale/ask']

/** The ask endpoint under its four paths. */
export function serveAsk(app: FastifyInstance, ask: Ask): void {
  for (const path of PATHS) {
    app.post(path, {
      config: { idempotent: true, releasesSlotEarly: true },
      onRequest: async (request) => void pathLocale(request),
      handler: async (request, reply) => {
        const question = toQuestion(request.body, { locale: pathLocale(request), acceptLanguage: request.headers['accept-language'] })
        const state = stateOf(request.raw)
        const options = { signal: abortOnClose(reply), subjects: state.subjects, onDrafted: () => state.releaseSlot?.() }
        reply.header('Cache-Control', 'no-store')
        if (question.streaming) {
          const events = askEvents(
            question,
            () => ask.ask(question, options),
            (error) => {
              state.hasTransientFailure = true
              request.log.error({ err: error }, 'ask failed')
            },
          )
          // Proxies must not buffer the events.
          return reply
            .type('text/event-stream; charset=utf-8')
            .header('X-Accel-Buffering', 'no')
            .send(Readable.from(events, { objectMode: false }))
        }
        const answer = await ask.ask(question, options)
        reply.header('Content-Language', answer._meta.locale)
        return reply.type(JSON_TYPE).send(JSON.stringify(answer))
      },
    })
  }
}

/** Stops the work when the caller hangs up. */
function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}

function pathLocale(request: FastifyRequest): string | undefined {
  const { locale } = request.params as { locale?: string }
  if (locale !== undefined && !isLocale(locale)) throw notFound('There is nothing at this path: the first part must be a language tag.')
  return locale
}

/** An answer as server-sent events. The type is in the data too, for clients that read only that. */
export async function* askEvents(
  { mode }: Question,
  answer: () => Promise<AskResponse>,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  yield event('start', { _meta: { response_type: 'answer', version: NLWEB_VERSION, mode, streaming: true } })
  let response: AskResponse
  try {
    response = await answer()
  } catch (error) {
    failed(error)
    // The status is sent already, so the failure goes into the stream.
    const { error: name, message } = toServiceError(error)
    yield event('complete', { _meta: { response_type: 'failure', version: NLWEB_VERSION, mode, total_items: 0 }, error: name, message })
    return
  }
  const { results, _meta, ...rest } = response
  for (const [index, item] of results.entries()) yield event('result', { index, item })
  yield event('complete', { ...rest, _meta: { ..._meta, total_items: results.length } })
}

const event = (name: 'start' | 'result' | 'complete', data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ message_type: name, ...data })}\n\n`

/** Public reads as plain text: what ask cites, for people and programs to check. */
export function serveTextReads(app: FastifyInstance, ask: Ask): void {
  const serve = (path: string, pageOf: (params: { handle: string; slug: string }, query: unknown) => TextPageRequest) =>
    // The path names the parameters that `pageOf` uses.
    app.get(path, async (request, reply) =>
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
  const { language, readout, position } = await ask.textPage(wanted, typeof locale === 'string' ? locale : 'en')
  if (readout === null) throw notFound('There is nothing public under this name.')
  reply.header('Content-Language', language)
  if (position !== null) reply.header('Service-Position', position)
  return sendWithEtag(request, reply, 'text/plain; charset=utf-8', `${readout.lines.join('\n')}\n`)
}
