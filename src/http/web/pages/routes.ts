/** The pages of the web host: server-rendered, complete without script, one stylesheet and one small script. */
import type { FastifyInstance } from 'fastify'
import type { Site } from '../../../contract/public-urls.js'
import { webMcpTools } from '../../../discovery/webmcp.js'
import type { Operations } from '../../../operations/read-executor.js'
import { ModelUnavailableError } from '../../../ports/document-store.js'
import { apiReference } from './api-reference.js'
import { Assets } from './assets.js'
import { changelog } from './changelog.js'
import { creation } from './creation-page.js'
import { creator } from './creator-page.js'
import type { Examples } from './curl.js'
import { explore } from './explore-page.js'
import { exploreQuery } from './explore-query.js'
import { Pages } from './page-renderer.js'
import type { Reading } from './reading.js'

export const createPages = (site: Site, operations: Operations): { pages: Pages; assets: Assets } => {
  const assets = new Assets({ 'tools.json': JSON.stringify(webMcpTools(site)) })
  return { assets, pages: new Pages(site, assets, operations) }
}

export function servePages(app: FastifyInstance, pages: Pages, assets: Assets, site: Site): void {
  assets.serve(app)
  pages.serve(app, '/', (visit, { query }, reading) => explore(visit, reading, exploreQuery(query as Record<string, unknown>)))
  pages.serve(app, '/@:handle', (visit, { params }, reading) => creator(visit, reading, named(params, 'handle')))
  pages.serve(app, '/@:handle/:slug', (visit, { params }, reading) =>
    creation(visit, reading, named(params, 'handle'), named(params, 'slug')),
  )
  const reference = apiReference(site)
  pages.serve(app, '/docs', async (visit, _request, reading) => reference(visit, await livingExamples(reading)))
  const changes = changelog()
  pages.serve(app, '/changelog', async (visit) => changes(visit))
}

const named = (params: unknown, name: string): string => String((params as Record<string, string>)[name])

/** The most popular creation, and whoever made it. While nothing can be read, the reference is there all the same. */
async function livingExamples(reading: Reading): Promise<Examples> {
  try {
    const { items } = await reading.feed({ sort: 'popular', limit: 1 })
    return items[0] === undefined ? {} : { handle: items[0].creator.handle, slug: items[0].slug }
  } catch (error) {
    if (error instanceof ModelUnavailableError) return {}
    throw error
  }
}
