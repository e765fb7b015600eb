import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../../contract/errors.js'
import { contentLanguages } from '../../../contract/locale.js'
import type { Site } from '../../../contract/public-urls.js'
import type { ReadExecutor } from '../../../operations/read-executor.js'
import { ReadSession } from '../../../operations/read-session.js'
import { html } from '../../html.js'
import { prefersMarkdown } from '../../plugins/content-negotiation.js'
import type { ErrorPages, PreparedPages } from '../../plugins/error-response.js'
import { CACHE_CONTROL, sendWithEtag } from '../../plugins/etag.js'
import { HTML_TYPE } from '../../plugins/response-headers.js'
import { readCost } from '../../rate-limit/costs.js'
import { stateOf } from '../../request-state.js'
import type { Assets } from './assets.js'
import { LANGUAGES, PageContext } from './page-context.js'
import { pageHeaders } from './page-headers.js'
import { type PageContent, pageLayout } from './page-layout.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this route are shown as pages. */
    isPage?: boolean
  }
}

type LoadPage = (context: PageContext, request: FastifyRequest, reads: ReadSession) => Promise<PageContent>

export const MARKDOWN = 'text/markdown; charset=utf-8'
const PAGE: FastifyContextConfig = { isPage: true, kind: 'page', limit: 'pages', cost: ({ query }) => readCost(query) }

/** Renders pages with layout, headers and language, and error pages. */
export class PageRenderer {
  readonly #site: Site
  readonly #assets: Assets
  readonly #operations: ReadExecutor
  readonly #headers: Record<string, string>

  /** For every 404 of the host and any error of a page. A wrong method comes from a program, not from a person. */
  readonly errors: ErrorPages = {
    exists: ({ status }, { routeOptions }) => status !== 405 && (status === 404 || routeOptions.config.isPage === true),
    render: (failure, request, reply) => {
      const context = new PageContext(request, this.#site)
      this.#setHeaders(reply, context, [])
      reply.header('Vary', 'Accept, Accept-Language')
      return pageLayout(context, this.#assets, errorPage(context, failure, request.id)).text
    },
    prepare: (status) => this.#prepareErrorPages(status),
  }

  constructor(site: Site, assets: Assets, operations: ReadExecutor) {
    this.#site = site
    this.#assets = assets
    this.#operations = operations
    this.#headers = pageHeaders(site)
  }

  /** Serves a page. `content` throws a 404 for what does not exist. */
  serve(app: FastifyInstance, path: string, content: LoadPage): void {
    if (path !== '/') this.#redirectWithSlash(app, path, content)
    app.get(path, { config: PAGE }, async (request, reply) => {
      const context = new PageContext(request, this.#site)
      const reads = this.#readsFor(request, context)
      const page = await content(context, request, reads)
      this.#setHeaders(reply, context, reads.languages)
      if (reads.position !== null) reply.header('Service-Position', reads.position)
      if (page.markdown !== undefined) {
        const { language, text } = page.markdown
        const variant = page.canonical === undefined ? '' : `, <${page.canonical}>; rel="alternate"; type="text/markdown"`
        reply.headers({ Vary: 'Accept, Accept-Language', Link: this.#headers.Link + variant })
        if (prefersMarkdown(request)) return sendWithEtag(request, reply.header('Content-Language', language), MARKDOWN, text())
      }
      return sendWithEtag(request, reply, HTML_TYPE, pageLayout(context, this.#assets, page).text)
    })
  }

  #readsFor({ raw }: FastifyRequest, { locale }: PageContext): ReadSession {
    return new ReadSession(this.#operations, locale, { caller: stateOf(raw).caller })
  }

  /** Redirects to the address without the trailing slash, if the page exists. */
  #redirectWithSlash(app: FastifyInstance, path: string, content: LoadPage): void {
    app.get(`${path}/`, { config: PAGE }, async (request, reply) => {
      const context = new PageContext(request, this.#site)
      await content(context, request, this.#readsFor(request, context))
      // The original URL, because on a creator's subdomain `url` is rewritten. Without a host, if the request line has one.
      const [asked = '', query] = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s)
      const address = asked.slice(0, -1) + (query === undefined ? '' : `?${query}`)
      return reply.header('Cache-Control', CACHE_CONTROL).redirect(address, 308)
    })
  }

  /** Their links are absolute, as on a creator's subdomain, so that they are right on every address. */
  #prepareErrorPages(status: number): PreparedPages {
    const pages = new Map<string, string>(
      LANGUAGES.map((language) => {
        const context = new PageContext({ originalUrl: '/', url: '/@any', headers: { 'accept-language': language } }, this.#site)
        return [language, pageLayout(context, this.#assets, errorPage(context, { status }, REQUEST_ID)).text]
      }),
    )
    return {
      headers: { ...this.#headers, Vary: 'Accept, Accept-Language' },
      render: ({ url = '', headers }, requestId) => {
        const [, named = 'en'] = NAMED_IN_QUERY.exec(url) ?? NAMED_IN_HEADER.exec(headers['accept-language'] ?? '') ?? []
        return { language: named, body: (pages.get(named) ?? '').replace(REQUEST_ID, requestId) }
      },
    }
  }

  #setHeaders(reply: FastifyReply, { language }: PageContext, languages: readonly string[]): void {
    reply.headers({ ...this.#headers, Vary: 'Accept-Language', 'Content-Language': contentLanguages([language, ...languages]).join(', ') })
  }
}

/** The first of our languages, without weights: browsers name the best first, and to parse a long header costs more than a refusal may. */
const NAMED_IN_QUERY = new RegExp(`[?&]locale=(${LANGUAGES.join('|')})\\b`)
const NAMED_IN_HEADER = new RegExp(`\\b(${LANGUAGES.join('|')})\\b`)

/** Stands for the request's id in a page that is made in advance. */
const REQUEST_ID = '{request_id}'

export function errorPage(context: PageContext, { status }: Pick<ServiceError, 'status'>, requestId: string): PageContent {
  const { texts } = context
  const [title, explanation] = errorTexts(context, status)
  // An empty address is this page again.
  const [address, label] = status === 429 ? ['', texts.errors.again] : [context.href('/'), texts.errors.home]
  return {
    title,
    description: explanation,
    unlisted: true,
    main: html`<section class="error">
<p class="error-status" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p class="lede">${explanation}</p>
<p><a class="button" href="${address}">${label}</a></p>
${status >= 500 && html`<p class="quiet">${texts.errors.requestId} ${requestId}</p>`}
</section>`,
  }
}

function errorTexts({ texts: { errors } }: PageContext, status: number): [title: string, explanation: string] {
  if (status === 404) return [errors.notFoundTitle, errors.notFound]
  if (status === 429) return [errors.tooManyTitle, errors.tooMany]
  if (status === 503) return [errors.startingTitle, errors.starting]
  return status < 500 ? [errors.invalidTitle, errors.invalid] : [errors.brokenTitle, errors.broken]
}
