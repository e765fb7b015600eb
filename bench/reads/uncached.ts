import { SORTS, type Sort } from '../../readmodels/feed/documents.js'
import { facetOf } from '../../readmodels/feed/facets.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { alternate, median } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import type { StoreName } from '../servers.js'
import { modelsPath } from '../workspace.js'
import { byMongoDriver, byStatement, type HandWrittenQueries } from './hand-written-queries.js'
import { feedFile, uncached } from './readers.js'

const GOALS: Record<StoreName, number> = { sqlite: 1.3, mongodb: 1.4 }
const KEPT_GOAL = 0.7
const CALLS = 20

interface Narrowing {
  category?: string
  tag?: string
  featuredOnly?: boolean
}

const FILTERS: Narrowing[] = [
  {},
  { category: 'games' },
  { tag: 'offline' },
  { featuredOnly: true },
  { category: 'games', tag: 'offline' },
  { category: 'games', featuredOnly: true },
]

const QUERIES = SORTS.flatMap((sort) => FILTERS.map((filter) => ({ sort, ...filter })))

/** Pages of every sort and filter, from operation to bytes, beside the same rows by the bare driver. */
export async function benchUncached(
  communities: Communities,
  sizes: Record<StoreName, number>,
  rounds: number,
  stores: readonly StoreName[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  if (stores.includes('sqlite')) {
    const folder = await communities.of(sizes.sqlite)
    const store = await openSqliteStore(modelsPath(folder))
    figures.push(...(await compared('sqlite', sizes.sqlite, store, byStatement(feedFile(folder)), rounds)))
    await store.close()
  }
  if (stores.includes('mongodb')) {
    const measured = await communities.inMongo(sizes.mongodb, async (store, url) =>
      compared('mongodb', sizes.mongodb, store, await byMongoDriver(url), rounds),
    )
    figures.push(...(measured ?? []))
  }
  return figures
}

async function compared(
  name: StoreName,
  creations: number,
  store: DocumentStore,
  byHand: HandWrittenQueries,
  rounds: number,
): Promise<Figure[]> {
  const { feed } = uncached(store)
  const keeping = uncached(store, { keeps: true })
  const measured: { name: string; ratio: number; kept: number; reference: number }[] = []
  for (const query of QUERIES) {
    const facet = facetOf({ featuredOnly: query.featuredOnly ?? false, category: query.category ?? null, tag: query.tag ?? null })
    const { ours, kept, reference } = await alternate(
      { rounds, calls: CALLS },
      {
        ours: () => feed(query),
        kept: () => keeping.feed(query),
        reference: async () => Buffer.from(JSON.stringify(await byHand.page(query.sort, facet))),
      },
    )
    measured.push({ name: nameOf(query), ratio: ours / reference, kept: kept / ours, reference })
  }
  await byHand.close()
  const usual = median(measured.map(({ ratio }) => ratio))
  const reference = median(measured.map((one) => one.reference))
  const [worst] = measured.toSorted((a, b) => b.ratio - a.ratio)
  return [
    ratioAtMost(
      `the same with all documents kept, ${name}`,
      median(measured.map(({ kept }) => kept)),
      KEPT_GOAL,
      'the same with none kept',
    ),
    ratioAtMost(
      `uncached page p50, median of ${QUERIES.length} sorts × filters, ${creations} creations, ${name}`,
      usual,
      GOALS[name],
      `bare driver + JSON.stringify (${Math.round(reference)} µs)`,
    ),
    ratioAtMost('the worst of them', worst?.ratio ?? 0, GOALS[name], `${worst?.name} (${Math.round(worst?.reference ?? 0)} µs)`),
  ]
}

const nameOf = ({ sort, category, tag, featuredOnly }: { sort: Sort } & Narrowing): string =>
  [sort, category && `category ${category}`, tag && `tag ${tag}`, featuredOnly && 'featured'].filter(Boolean).join(', ')
