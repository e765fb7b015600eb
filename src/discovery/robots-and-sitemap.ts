import { type Origins, serviceUrls } from '../contract/public-urls.js'

/** Everything may be crawled except what answers POST only or differs per caller. */
export const robotsText = (sites: Origins): string => `# What agents can do here: ${serviceUrls(sites).llms}
User-agent: *
Allow: /
Disallow: /ask
Disallow: /agent/auth/
Disallow: /batch

Sitemap: ${serviceUrls(sites).sitemap}
`

export function sitemapXml(entries: readonly { url: string; updatedAt?: string }[]): string {
  const urls = entries.map(
    ({ url, updatedAt }) =>
      `  <url><loc>${escaped(url)}</loc>${updatedAt === undefined ? '' : `<lastmod>${escaped(updatedAt)}</lastmod>`}</url>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
