/** The pages of the web host. Rendered on the server and complete without script. */

import type { FastifyInstance } from 'fastify'
import { getCommunityFeed } from '../../../../readmodels/feed/public-reads.js'
import type { Operation } from '../../../contract/operation.js'
import type { Site } from '../../../contract/public-urls.js'
import type { ReadSession } from '../../../operations/read-session.js'
import { ModelUnavailableError } from '../../../ports/document-store.js'
import { apiReference } from './api-reference.js'
import type { Examples } from './api-reference-parts.js'
import type { Assets } from './assets.js'
import { creationPage } from './creation-page.js'
import { creatorPage } from './creator-page.js'
import { changelogPage } from './docs-pages.js'
import { explorePage } from './explore-page.js'
import type { PageRenderer } from './page-renderer.js'

export function servePages(app: FastifyInstance, pages: PageRenderer, assets: Assets, site: Site, reads: readonly Operation[]): void {
  assets.serve(app)
  pages.serve(app, '/', (context, { query }, reads) => explorePage(context, reads, query as Record<string, unknown>))
  pages.serve(app, '/@:handle', (context, { params }, reads) => creatorPage(context, reads, param(params, 'handle')))
  pages.serve(app, '/@:handle/:slug', (context, { params }, reads) =>
    creationPage(context, reads, param(params, 'handle'), param(params, 'slug')),
  )
  const reference = apiReference(site, reads)
  pages.serve(app, '/docs', async (context, _request, reads) => reference(context, await liveExamples(reads)))
  const changes = changelogPage()
  pages.serve(app, '/changelog', async (context) => changes(context))
}

const param = (params: unknown, name: string): string => String((params as Record<string, string>)[name])

/** The most popular creation and its creator; none while the models are loading, so that the reference can always be read. */
async function liveExamples(reads: ReadSession): Promise<Examples> {
  try {
    const { items } = await reads.read(getCommunityFeed, { sort: 'popular', limit: 1 })
    return items[0] === undefined ? {} : { handle: items[0].creator.handle, slug: items[0].slug }
  } catch (error) {
    if (error instanceof ModelUnavailableError) return {}
    throw error
  }
}
