/** A search finds the same in the same order on every store, page by page, and as scoring everything would. */
import { deepStrictEqual } from 'node:assert/strict'
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { terms } from '../../readmodels/feed/search/documents.js'
import { searchedWords } from '../../readmodels/feed/search/query.js'
import { compareScored, fitting, scored } from '../../readmodels/feed/search/score.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { STORES } from '../engine/stores.js'
import { opened } from '../ports/subject.js'
import { Script } from '../spec/script.js'
import { memoryStore } from '../support/memory-store.js'
import { Folding } from '../support/project-log.js'
import { otherCommunity, otherQuestions } from './eval/other-community.js'

const records = new Script().write(...otherCommunity())
const questions = otherQuestions().filter((_, n) => n % 3 === 0)

async function folded(store: DocumentStore): Promise<ReadExecutor> {
  const folding = await Folding.begin(feedProjection, { store })
  await folding.through(records)
  return new ReadExecutor(store, new PublicUrls('vitrine.example'))
}

async function pagesOf(operations: ReadExecutor, q: string, locale: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { data } = await operations.execute(getCommunityFeed, { q, locale, limit: 7, cursor })
    ids.push(...data.items.map(({ id }) => id))
    if (data.next_cursor === null) return ids
    cursor = data.next_cursor
  }
}

const reference = memoryStore()
const expected = new Map<string, string[]>()
const inMemory = await folded(reference)
for (const { query, lang } of questions) expected.set(query, await pagesOf(inMemory, query, lang))

await t.test('as scoring every creation would', async (t) => {
  const snapshot = await reference.snapshot(['feed'])
  const reads = snapshot.model('feed')
  const all = await reads.range(terms, { index: '_id', equals: [], limit: 1e6 })
  let compared = 0
  for (const { query, lang } of questions) {
    const wanted = await searchedWords(reads, { q: query, locale: lang, prefix: false })
    const matches = all.map((doc) => scored(doc, wanted)).filter(({ held }) => held > 0)
    // Of very common words not every creation is looked at.
    if (matches.length > 60) continue
    compared += 1
    const near = fitting(matches).sort(compareScored)
    deepStrictEqual(
      expected.get(query),
      near.map(({ id }) => id),
      query,
    )
  }
  snapshot.release()
  t.ok(compared > questions.length / 2, `${compared} searches`)
})

for (const subject of STORES.filter(({ name }) => name !== 'memory')) {
  await t.test(`on ${subject.name} as in memory`, async (t) => {
    const operations = await folded((await opened(t, subject)).store)
    for (const { query, lang } of questions) deepStrictEqual(await pagesOf(operations, query, lang), expected.get(query), query)
    t.pass(`${questions.length} searches`)
  })
}
