import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SORTS, type Sort } from '../readmodels/feed/documents.js'
import { facetOf } from '../readmodels/feed/facets.js'
import { type Connection, openDatabase } from '../src/adapters/sqlite/database.js'
import { SqliteDocumentStore } from '../src/adapters/sqlite/document-store.js'
import { demoLog } from '../src/demo/index.js'
import { getCommunityFeed } from '../src/operations/community/feed.js'
import { Operations } from '../src/operations/execute.js'
import { Addresses } from '../src/operations/render.js'
import type { NewRecord } from '../src/ports/event-log.js'
import type { Figure } from './table.js'
import { modelsPath, project, withFolder, writeLog } from './workspace.js'

const LIMIT = 24
const SMALL = 2000

interface Query {
  sort: Sort
  category?: string
  tag?: string
  featuredOnly?: boolean
}

const QUERIES: Query[] = [
  ...SORTS.map((sort) => ({ sort })),
  { sort: 'trending', category: 'games' },
  { sort: 'recent', tag: 'offline' },
  { sort: 'liked', featuredOnly: true },
]

/** An uncached page, from operation to bytes, beside the same rows by a hand-written statement; large beside small. */
export async function benchPages(creations: number, rounds: number): Promise<Figure[]> {
  return withFolder((large) =>
    withFolder(async (small) => {
      for (const [folder, size] of [
        [small, SMALL],
        [large, creations],
      ] as const) {
        console.error(`projecting ${size} creations …`)
        await writeLog(
          folder,
          sparse(demoLog({ creators: Math.ceil(size / 10), creations: size, seed: 1, webUrl: 'https://vitrine.example' })),
        )
        await project(folder)
      }
      const big = await measured(large)
      const little = await measured(small)
      const figures: Figure[] = []
      for (const query of QUERIES) {
        const { ours, reference } = await alternate(rounds, { ours: () => big.operation(query), reference: () => big.statement(query) })
        const growth = await alternate(rounds, { ours: () => big.operation(query), reference: () => little.operation(query) })
        figures.push(ratio(`uncached page, ${nameOf(query)}, ${creations} creations`, ours, reference, 'statement + JSON.stringify', 2))
        figures.push(ratio(`the same, growth from ${SMALL}`, growth.ours, growth.reference, `${SMALL} creations`, 1.3))
      }
      await big.close()
      await little.close()
      return figures
    }),
  )
}

const nameOf = ({ sort, category, tag, featuredOnly }: Query): string =>
  [sort, category && `category ${category}`, tag && `tag ${tag}`, featuredOnly && 'featured'].filter(Boolean).join(', ')

function ratio(name: string, ours: number, reference: number, what: string, goal: number): Figure {
  const value = ours / reference
  return { name, value, unit: '×', reference: `${what} (${Math.round(reference)} µs)`, goal: `≤ ${goal}`, met: value <= goal }
}

/** All creations, but few of the events that only move counters: a page does not care how a count came about. */
function* sparse(records: Iterable<NewRecord>): Iterable<NewRecord> {
  let seen = 0
  for (const record of records) {
    const frequent = /"type":"(creation\.(liked|played|scored|unliked)|creator\.(followed|unfollowed))/.test(record.payload)
    if (!frequent || seen++ % 10 === 0) yield record
  }
}

async function measured(folder: string) {
  const store = await SqliteDocumentStore.open(modelsPath(folder))
  const operations = new Operations(store, new Addresses('vitrine.example'))
  const file = readdirSync(modelsPath(folder)).find((name) => /^feed_v\d+_g\d+\.db$/.test(name))
  if (file === undefined) throw new Error('the feed was not projected')
  const db = openDatabase(join(modelsPath(folder), file))
  return {
    operation: async (query: Query) => {
      const { data } = await operations.execute(getCommunityFeed, { ...query, limit: LIMIT })
      return Buffer.from(JSON.stringify({ code: 0, data }))
    },
    statement: byHand(db),
    async close() {
      db.close()
      await store.close()
    },
  }
}

/** What somebody would write who needs this page and nothing else. */
function byHand(db: Connection) {
  const statements = new Map(
    SORTS.map((sort) => [
      sort,
      db
        .prepare(
          `SELECT d.doc FROM items__${sort} AS x JOIN items AS d ON d.id = x.id WHERE x.k0 = ? ORDER BY x.k1 DESC, x.id DESC LIMIT ${LIMIT}`,
        )
        .raw(),
    ]),
  )
  return async ({ sort, category, tag, featuredOnly }: Query) => {
    const facet = facetOf({ featuredOnly: featuredOnly ?? false, category: category ?? null, tag: tag ?? null })
    const rows = statements.get(sort)?.all(facet) as unknown as [string][]
    return Buffer.from(JSON.stringify(rows.map(([doc]) => JSON.parse(doc))))
  }
}

/** Medians of alternating rounds, in microseconds a call: what disturbs one disturbs the other. */
async function alternate(rounds: number, { ours, reference }: Record<'ours' | 'reference', () => Promise<unknown>>) {
  const times = { ours: [] as number[], reference: [] as number[] }
  for (let round = -10; round < rounds; round++) {
    for (const [name, run] of [['ours', ours] as const, ['reference', reference] as const]) {
      const started = performance.now()
      for (let i = 0; i < 20; i++) await run()
      // The first rounds only warm up.
      if (round >= 0) times[name].push(((performance.now() - started) / 20) * 1000)
    }
  }
  return { ours: median(times.ours), reference: median(times.reference) }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
