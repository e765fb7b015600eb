import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TextPageRequest } from '../../ask/answer/text-pages.js'
import type { Ask } from '../../ask/ask.js'
import { notFound } from '../../contract/errors.js'
import { sendWithEtag } from '../plugins/etag.js'

/** Public reads as plain text: what ask cites, for people and programs to check. */
export function serveTextReads(app: FastifyInstance, ask: Ask): void {
  const serve = (path: string, toPageRequest: (request: FastifyRequest) => TextPageRequest) =>
    app.get(path, async (request, reply) => send(request, reply, ask, toPageRequest(request)))
  serve('/text/community', ({ query }) => ({ page: 'community', query }))
  serve('/text/tags', () => ({ page: 'tags' }))
  serve('/text/categories', () => ({ page: 'categories' }))
  serve('/text/user/:handle', (request) => ({ page: 'creator', handle: param(request, 'handle') }))
  serve('/text/user/:handle/followers', (request) => ({ page: 'followers', handle: param(request, 'handle') }))
  serve('/text/user/:handle/following', (request) => ({ page: 'following', handle: param(request, 'handle') }))
  serve('/text/app/:handle/:slug', (request) => ({ page: 'creation', handle: param(request, 'handle'), slug: param(request, 'slug') }))
}

async function send(request: FastifyRequest, reply: FastifyReply, ask: Ask, wanted: TextPageRequest): Promise<FastifyReply> {
  const { locale } = request.query as { locale?: unknown }
  const { language, readout, position } = await ask.textPage(wanted, typeof locale === 'string' ? locale : 'en')
  if (readout === null) throw notFound('There is nothing public under this name.')
  reply.header('Content-Language', language)
  if (position !== null) reply.header('Service-Position', position)
  return sendWithEtag(request, reply, 'text/plain; charset=utf-8', `${readout.lines.join('\n')}\n`)
}

const param = ({ params }: FastifyRequest, name: string): string => String((params as Record<string, string>)[name])
