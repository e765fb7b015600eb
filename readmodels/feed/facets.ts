/**
 * A facet is one way to narrow the feed: featured or not × category or any × tag or any. A public creation is filed
 * under every facet it belongs to, so each filtered page is one range of one index and each total one counter.
 */
export interface Filter {
  featuredOnly: boolean
  category: string | null
  tag: string | null
}

/** The tag comes last because only a tag may contain a bar. */
export const facetOf = ({ featuredOnly, category, tag }: Filter): string => `${featuredOnly ? 'f' : ''}|${category ?? ''}|${tag ?? ''}`

export const EVERYTHING = facetOf({ featuredOnly: false, category: null, tag: null })
export const FEATURED = facetOf({ featuredOnly: true, category: null, tag: null })
export const inCategory = (category: string): string => facetOf({ featuredOnly: false, category, tag: null })

/** Not a filter of the feed, but indexed and counted like one. */
export const SPOTLIGHT = 'spotlight'

export function facetsOf(creation: { featured: boolean; spotlight: boolean; category: string | null; tags: readonly string[] }): string[] {
  const facets: string[] = creation.spotlight ? [SPOTLIGHT] : []
  for (const featuredOnly of creation.featured ? [false, true] : [false]) {
    for (const category of creation.category === null ? [null] : [null, creation.category]) {
      for (const tag of [null, ...creation.tags]) facets.push(facetOf({ featuredOnly, category, tag }))
    }
  }
  return facets
}
