import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { marked } from 'marked'
import type { Documentation, DocumentationPage } from '../../../ask/retrieve/documentation.js'
import { notFound } from '../../../contract/errors.js'
import { packageRoot } from '../../../lib/package-root.js'
import { html, trusted } from '../../html.js'
import { sendWithEtag } from '../../plugins/etag.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'
import { MARKDOWN, type PageRenderer } from './page-renderer.js'

/** The documentation at `/docs/{language}/{page}`, with an anchor per passage; with `.md` or by `Accept` as Markdown. */
export function serveDocsPages(app: FastifyInstance, pages: PageRenderer, library: Documentation, webUrl: string): void {
  const pageOf = (params: unknown): DocumentationPage => {
    const { language, page } = params as { language: string; page: string }
    const found = library.page(language, page)
    if (found === undefined) throw notFound('There is no such page of documentation.')
    return found
  }
  app.get('/docs/:language/:page(^[a-z-]+).md', { config: { limit: 'pages' } }, async (request, reply) => {
    const page = pageOf(request.params)
    return sendWithEtag(request, reply.header('Content-Language', page.language), MARKDOWN, page.markdown)
  })
  pages.serve(app, '/docs/:language/:page', async (_context, { params }) => {
    const page = pageOf(params)
    return {
      title: page.title,
      description: page.passages[0]?.text ?? page.title,
      current: 'docs',
      canonical: `${webUrl}/docs/${page.language}/${page.slug}`,
      main: html`<article class="prose" lang="${page.language}">${trusted(asHtml(page))}</article>`,
      markdown: { language: page.language, text: () => page.markdown },
    }
  })
}

/** Our own content, so its markup is trusted. Made once for each page. */
function asHtml(page: DocumentationPage): string {
  const found =
    made.get(page) ?? marked.parse(page.markdown, { async: false }).replace(/<h2>(.*?) \{#([a-z0-9-]+)\}<\/h2>/g, '<h2 id="$2">$1</h2>')
  made.set(page, found)
  return found
}

const made = new WeakMap<DocumentationPage, string>()

const FILE = new URL('CHANGELOG.md', packageRoot)

/** CHANGELOG.md as a page. Our own content, so its markup is trusted. Links to files of the repository lead nowhere here. */
export function changelogPage(): (context: PageContext) => PageContent {
  const markdown = readFileSync(FILE, 'utf8').replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
  const text = markdown.replace(/^# .*\n/, '')
  const body = trusted(marked.parse(text, { async: false }))
  return (context) => ({
    title: context.texts.changelog,
    description: text.trim().split('\n\n', 1)[0] ?? context.texts.changelog,
    current: 'changelog',
    canonical: `${context.site.webUrl}/changelog`,
    main: html`<article class="prose" lang="en"><h1 lang="${context.language}">${context.texts.changelog}</h1>${body}</article>`,
    markdown: { language: 'en', text: () => markdown },
  })
}
