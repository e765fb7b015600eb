import t from 'tap'
import { EVERYTHING, FEATURED, facetOf, facetsOf, inCategory, SPOTLIGHT } from '../../readmodels/feed/facets.js'

const plain = { featured: false, spotlight: false, category: 'games', tags: [] as string[] }

t.test('a creation is filed under every combination it belongs to, and no other', async (t) => {
  t.strictSame(facetsOf({ ...plain, category: null }), [EVERYTHING])
  t.strictSame(facetsOf(plain), ['||', '|games|'])
  t.strictSame(facetsOf({ ...plain, tags: ['x', 'y'] }), ['||', '||x', '||y', '|games|', '|games|x', '|games|y'])
  t.strictSame(facetsOf({ ...plain, featured: true, tags: ['x'] }), [
    '||',
    '||x',
    '|games|',
    '|games|x',
    'f||',
    'f||x',
    'f|games|',
    'f|games|x',
  ])
  t.strictSame(facetsOf({ ...plain, spotlight: true }), [SPOTLIGHT, '||', '|games|'])
})

t.test('each filter finds the facet it was filed under', async (t) => {
  const creation = { featured: true, spotlight: true, category: 'games', tags: ['x', 'a|b', 'games'] }
  const facets = facetsOf(creation)
  t.equal(new Set(facets).size, facets.length, 'each once')
  for (const featuredOnly of [false, true])
    for (const category of [null, 'games', 'music'])
      for (const tag of [null, 'x', 'a|b', 'games', 'y', 'b'])
        t.equal(
          facets.includes(facetOf({ featuredOnly, category, tag })),
          (category === null || category === 'games') && (tag === null || creation.tags.includes(tag)),
          JSON.stringify({ featuredOnly, category, tag }),
        )
})

t.test('no two filters share a facet', async (t) => {
  const filters = [false, true].flatMap((featuredOnly) =>
    [null, 'a', 'b', 'f'].flatMap((category) =>
      [null, 'a', 'b', 'a|b', '|', '|a', 'f', 'spotlight'].map((tag) => ({ featuredOnly, category, tag })),
    ),
  )
  t.equal(new Set(filters.map(facetOf)).size, filters.length)
  t.notOk(filters.map(facetOf).includes(SPOTLIGHT))
  t.strictSame([EVERYTHING, FEATURED, inCategory('a')], ['||', 'f||', '|a|'])
})
