import type { FastifyInstance } from 'fastify'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import type { DiscoveryDocument } from '../../discovery/documents.js'
import { type SitemapEntry, sitemapXml } from '../../discovery/robots-and-sitemap.js'
import type { ReadExecutor } from '../../operations/read-executor.js'
import { sendWithEtag } from '../plugins/etag.js'

/** Made once: they depend on the program and its configuration, not on the data. */
export function serveDiscovery(app: FastifyInstance, documents: readonly DiscoveryDocument[]): void {
  for (const { path, type, body } of documents) app.get(path, async (request, reply) => sendWithEtag(request, reply, type, body))
}

/** The fixed pages, and the newest creations with their creators. */
export function serveSitemap(app: FastifyInstance, operations: ReadExecutor, webUrl: string, pages: readonly string[]): void {
  app.get('/sitemap.xml', async (request, reply) => {
    const { data } = await operations.execute(getCommunityFeed, { sort: 'recent', limit: 48 })
    const { items } = data
    const creators = new Set(items.map(({ creator }) => creator.handle))
    const entries: SitemapEntry[] = [
      ...pages.map((path) => ({ url: webUrl + path })),
      ...[...creators].map((handle) => ({ url: `${webUrl}/@${handle}` })),
      ...items.map(({ slug, updatedAt, creator }) => ({ url: `${webUrl}/@${creator.handle}/${slug}`, updatedAt })),
    ]
    return sendWithEtag(request, reply, 'application/xml; charset=utf-8', sitemapXml(entries))
  })
}
