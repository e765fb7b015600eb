import { wordCounts } from '../../readmodels/feed/search/documents.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { median } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import type { StoreName } from '../servers.js'
import { modelsPath } from '../workspace.js'
import { uncached } from './readers.js'

const GROWTH = 1.3
/** In milliseconds. */
const GOALS: Record<StoreName, number> = { sqlite: 30, mongodb: 60 }
const SEARCHES = 300
/** The first ones only warm up. */
const WARM_UP = 60
const WORD_COUNTS = [1, 3, 12]

interface Times {
  p50: number
  p99: number
}

/** Searches by relevance for one, three and twelve words that titles and tags use, each search another one. */
export async function benchRelevance(
  communities: Communities,
  sizes: Record<StoreName, readonly [small: number, large: number]>,
  stores: readonly StoreName[],
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const store of stores) {
    const [small, large] = sizes[store]
    const little = await measured(communities, store, small)
    const big = await measured(communities, store, large)
    for (const count of WORD_COUNTS) {
      const [before, after] = [little.get(count), big.get(count)]
      if (before === undefined || after === undefined) continue
      const what = `search by relevance, ${count === 1 ? 'a word' : `${count} words`}, ${store}`
      const grown = `${before.p50.toFixed(1)} to ${after.p50.toFixed(1)} ms`
      figures.push(ratioAtMost(`${what}: growth of p50, ${small} to ${large} creations`, after.p50 / before.p50, GROWTH, grown))
      figures.push({
        name: `${what}: p99, ${large} creations`,
        value: after.p99,
        unit: 'ms',
        goal: `≤ ${GOALS[store]}`,
        met: after.p99 <= GOALS[store],
      })
    }
  }
  return figures
}

async function measured(communities: Communities, name: StoreName, creations: number): Promise<Map<number, Times>> {
  if (name === 'sqlite') {
    const store = await openSqliteStore(modelsPath(await communities.of(creations)))
    const times = await searched(store)
    await store.close()
    return times
  }
  return (await communities.inMongo(creations, searched)) ?? new Map()
}

async function searched(store: DocumentStore): Promise<Map<number, Times>> {
  const words = await wordsOf(store)
  const { feed } = uncached(store)
  const times = new Map<number, Times>()
  for (const count of WORD_COUNTS) {
    const took: number[] = []
    for (let n = 0; n < SEARCHES; n++) {
      const q = Array.from({ length: count }, (_, i) => words[(n * 7919 + i * 104_729) % words.length]).join(' ')
      const started = performance.now()
      await feed({ q: q.slice(0, 200), sort: 'relevance' })
      if (n >= WARM_UP) took.push(performance.now() - started)
    }
    took.sort((a, b) => a - b)
    times.set(count, { p50: median(took), p99: took[Math.floor(took.length * 0.99)] ?? 0 })
  }
  return times
}

/** Words of titles and tags, the common ones as often as the rare. */
async function wordsOf(store: DocumentStore): Promise<string[]> {
  const snapshot = await store.snapshot(['feed'])
  try {
    const reads = snapshot.model('feed')
    const counted = await reads.range(wordCounts, { index: '_id', equals: [], limit: 1_000_000 })
    const typed = counted.filter(({ _id }) => /^[a-z]{4,}$/.test(_id)).toSorted((a, b) => b.count - a.count)
    // Every second word is one of the most common.
    return typed.flatMap(({ _id }, n) => [_id, typed[n % 100]?._id ?? _id])
  } finally {
    snapshot.release()
  }
}
