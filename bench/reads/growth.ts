import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { alternate } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import { modelsPath } from '../workspace.js'
import { feedFile, uncached } from './readers.js'
import { KINDS_OF_SEARCH, searchesIn } from './search-terms.js'

const GOAL = 1.2
const CALLS = 5

/** The same reads in a large community and in a small one. */
export async function benchGrowth(communities: Communities, small: number, large: number, rounds: number): Promise<Figure[]> {
  const [little, big] = [await asked(communities, small), await asked(communities, large)]
  const figures: Figure[] = []
  for (const name of Object.keys(big.reads)) {
    const times = await alternate({ rounds, calls: CALLS }, { large: (n) => big.reads[name]?.(n), small: (n) => little.reads[name]?.(n) })
    const reference = `${Math.round(times.large)} of ${Math.round(times.small)} µs`
    figures.push(ratioAtMost(`growth of ${name} p50, ${small} to ${large} creations`, times.large / times.small, GOAL, reference))
  }
  await little.close()
  await big.close()
  return figures
}

async function asked(communities: Communities, creations: number) {
  const folder = await communities.of(creations)
  const store = await openSqliteStore(modelsPath(folder))
  const { feed, read } = uncached(store)
  const searches = searchesIn(feedFile(folder), creations)
  const handles = foldedHandles(feedFile(folder))
  const reads: Record<string, (call: number) => Promise<Buffer>> = {
    page: () => feed({}),
    total: () => feed({ limit: 1, category: 'games' }),
    profile: (call) => read(getCreatorProfile, { handle: handles[call] ?? '' }),
  }
  for (const kind of KINDS_OF_SEARCH)
    reads[`search, ${kind},`] = (call) => feed({ sort: 'trending', prefix: true, q: searches[kind][call] ?? '' })
  return { reads, close: () => store.close() }
}

/** Creators that are the same in every community. */
function foldedHandles(feed: string): string[] {
  const db = openDatabase(feed)
  const rows = db
    .prepare<[string]>("SELECT doc ->> '$.handle' FROM creators WHERE id NOT GLOB '*x[0-9]*' ORDER BY doc ->> '$.apps' DESC, id LIMIT ?")
    .all(CALLS)
  db.close()
  return rows.map(([handle]) => handle)
}
