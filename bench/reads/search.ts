import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { alternate } from '../alternate.js'
import type { Communities } from '../community/communities.js'
import type { Figure } from '../figures.js'
import { ratioAtMost } from '../ratio-figure.js'
import { modelsPath, withFolder } from '../workspace.js'
import { feedFile, uncached } from './readers.js'
import { KINDS_OF_SEARCH, searchesIn } from './search-terms.js'
import { fullText } from './sqlite-full-text.js'

const GOAL = 1

/** Searches in an order of the feed from operation to bytes, beside SQLite's own full-text search over the same words with the same answer. */
export function benchSearch(communities: Communities, creations: number, rounds: number): Promise<Figure[]> {
  return withFolder(async (own) => {
    const folder = await communities.of(creations)
    const searches = searchesIn(feedFile(folder), creations)
    console.error('search: building the reference …')
    const reference = fullText(feedFile(folder), own)
    const store = await openSqliteStore(modelsPath(folder))
    const { feed } = uncached(store)
    const figures: Figure[] = []
    for (const kind of KINDS_OF_SEARCH) {
      const list = searches[kind]
      const totals = await Promise.all(list.map((q) => sameAnswer(q, feed, reference)))
      const times = await alternate(
        { rounds, calls: list.length },
        {
          ours: (call) => feed({ sort: 'trending', prefix: true, q: list[call] ?? '' }),
          reference: (call) => Buffer.from(JSON.stringify(reference.search((list[call] ?? '').split(' ')))),
        },
      )
      figures.push(
        ratioAtMost(
          `search p50, ${kind} (${Math.min(...totals)} to ${Math.max(...totals)} matches), ${creations} creations`,
          times.ours / times.reference,
          GOAL,
          `bare FTS5, same page and total (${Math.round(times.reference)} µs)`,
        ),
      )
    }
    reference.close()
    await store.close()
    return figures
  })
}

/** Both must return the same, otherwise comparing their speed means nothing. */
async function sameAnswer(q: string, feed: (input: object) => Promise<Buffer>, reference: ReturnType<typeof fullText>): Promise<number> {
  const { items, total } = (
    JSON.parse((await feed({ sort: 'trending', prefix: true, q })).toString()) as { data: { items: { id: string }[]; total: number } }
  ).data
  const other = reference.search(q.split(' '))
  const ids = (other.items as { _id: string }[]).map(({ _id }) => _id)
  if (total !== other.total || ids.join() !== items.map(({ id }) => id).join())
    throw new Error(`"${q}": ${total} matches, by full text ${other.total}`)
  return total
}
