import { SORTS } from '../../readmodels/feed/documents.js'

interface Feed {
  data: { items: { slug: string; creator: { handle: string } }[]; next_cursor: string | null }
}

const DEEP = 20

/**
 * Addresses that readers of a gallery ask for, the most asked for first: front page, feeds and tags lead, then pages of
 * creations and creators in the order in which the feed shows them, with deeper pages of the feed among them.
 */
export async function hotUrls(port: number, count: number): Promise<string[]> {
  const get = async (url: string): Promise<Feed> => (await fetch(`http://127.0.0.1:${port}${url}`)).json() as Promise<Feed>
  const first = ['/public/share/community', '/public/share/community/landing', '/public/share/tags']
  for (const sort of SORTS) first.push(`/public/share/community?sort=${sort}`)
  for (const locale of ['es', 'de', 'ja']) first.push(`/public/share/community/landing?locale=${locale}`)
  const urls = new Set(first)
  for (let cursor = '', page = 0; urls.size < count; page++) {
    const url = `/public/share/community?limit=48${cursor}`
    const { items, next_cursor } = (await get(url)).data
    if (page < DEEP) urls.add(url)
    for (const { slug, creator } of items) {
      urls.add(`/public/share/app/${creator.handle}/${encodeURIComponent(slug)}`)
      urls.add(`/public/share/user/${creator.handle}`)
    }
    if (next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  return [...urls].slice(0, count)
}
