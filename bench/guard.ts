import { EVERYTHING } from '../readmodels/feed/facets.js'
import { SqliteDocumentStore } from '../src/adapters/sqlite/document-store.js'
import { demoLog } from '../src/demo/index.js'
import { alternate } from './alternate.js'
import { byStatement } from './reads/by-hand.js'
import { fullText } from './reads/full-text.js'
import { feedFile, uncached } from './reads/readers.js'
import { searchesIn } from './reads/words.js'
import { readBare } from './rebuild/bare-read.js'
import { spentOn } from './spent.js'
import type { Figure } from './table.js'
import { modelsPath, project, withFolder, writeLog } from './workspace.js'

const CREATIONS = 1000
const ROUNDS = 60
const CALLS = 10
/** Reading a log this small takes too little time to be measured once. */
const READ_TIMES = 10

/**
 * A few ratios that take seconds, for the test that compares them with those kept under `bench/results`. They are about a
 * community too small to say anything else with.
 */
export function benchGuard(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    await writeLog(folder, demoLog({ creators: CREATIONS / 10, creations: CREATIONS, seed: 1, webUrl: 'https://vitrine.example' }))
    const folded = await spentOn(() => project(folder), null)
    const read = await spentOn(() => {
      for (let time = 0; time < READ_TIMES; time++) readBare(folder)
    }, null)
    const figures = [kept('folding, in processor time over reading the log', (folded.cpuSeconds * READ_TIMES) / read.cpuSeconds)]
    const store = await SqliteDocumentStore.open(modelsPath(folder))
    try {
      figures.push(await pageRatio(store, folder), await searchRatio(store, folder))
    } finally {
      await store.close()
    }
    return figures
  })
}

const kept = (name: string, value: number): Figure => ({ name, value, unit: '×', goal: 'reported', met: true })

async function pageRatio(store: SqliteDocumentStore, folder: string): Promise<Figure> {
  const { feed } = uncached(store)
  const byHand = byStatement(feedFile(folder))
  const times = await alternate(
    { rounds: ROUNDS, calls: CALLS },
    { ours: () => feed({}), reference: async () => Buffer.from(JSON.stringify(await byHand.page('trending', EVERYTHING))) },
  )
  await byHand.close()
  return kept('uncached page over the bare driver', times.ours / times.reference)
}

function searchRatio(store: SqliteDocumentStore, folder: string): Promise<Figure> {
  return withFolder(async (own) => {
    const { feed } = uncached(store)
    const { common } = searchesIn(feedFile(folder), CREATIONS)
    const reference = fullText(feedFile(folder), own)
    const times = await alternate(
      { rounds: ROUNDS, calls: common.length },
      { ours: (call) => feed({ q: common[call] ?? '' }), reference: (call) => JSON.stringify(reference.search([common[call] ?? ''])) },
    )
    reference.close()
    return kept('search over bare FTS5', times.ours / times.reference)
  })
}
