import { z } from 'zod'
import { locale } from '../../src/contract/fields.js'
import { plainRead } from '../../src/contract/operation.js'
import { renderCreation } from './creation.js'
import { RANKED_SINCE } from './public-reads.js'
import { terms } from './search/documents.js'
import { searchedWords } from './search/query.js'
import { rankedPage } from './search/relevance.js'
import { coverageOf, writtenAs } from './search/score.js'

export interface Match {
  /** How much of the search it holds, from 0 to 1. */
  share: number
  /** The searched words that it holds. */
  words: string[]
  /** Words of its title and tags by which it was found. */
  found: string[]
}

/**
 * The first page of a search by relevance, as the feed gives it, and how well each creation fits. Ask needs this to tell
 * what the gallery has from what it has not; the feed's own answer says only which creations fit best.
 */
export const lookUp = plainRead({
  name: 'look_up',
  input: z.object({
    locale,
    q: z.string().max(200),
    category: z.string().nullable().default(null),
    tag: z.string().nullable().default(null),
    featuredOnly: z.boolean().default(false),
    limit: z.int().min(1).max(48),
  }),
  models: ['feed'],
  async run({ model, versionOf, localizer, urls }, { q, locale: wanted, category, tag, featuredOnly, limit }) {
    // Without ranked terms nothing says how well anything fits.
    if (versionOf('feed') < RANKED_SINCE) return { items: [], matches: [], total: 0 }
    const feed = model('feed')
    const searched = await searchedWords(feed, { q, locale: wanted, prefix: false })
    const { items, total } = await rankedPage(feed, searched, { filter: { category, tag, featuredOnly }, limit, after: null })
    const docs = await feed.get(
      terms,
      items.map(({ _id }) => _id),
    )
    const creations = items.map((item) => renderCreation(item, localizer, urls))
    const matches = creations.map(({ title, tags }, at): Match => {
      const doc = docs[at]
      if (doc === undefined) return { share: 0, words: [], found: [] }
      const { share, words, forms } = coverageOf(doc, searched)
      return { share, words, found: writtenAs(forms, title, tags, wanted) }
    })
    return { items: creations, matches, total }
  },
})
