import type { Test } from 'tap'
import type { ModelView, WordQuery } from '../../../src/ports/document-store.js'
import { type Change, type DocumentStoreSubject, generation, library, type Page, PROJECTION, pages, put, remove, save } from './library.js'

/** Awkward for whoever writes words into an index of their own: signs, capitals, operators, other scripts, beginnings of each other. */
const WORDS = [
  'a',
  'ab',
  'abc',
  'AND',
  'and',
  'b-c',
  'b',
  'c"d',
  "e'f",
  'g h',
  '*',
  'naïve',
  'naive',
  '潮',
  '潮汐',
  '🌊',
  '🌊🌊',
  '\ue000',
  '\ue0000061',
  'z',
]

const holding = (list: readonly Page[], { whole, prefix }: WordQuery): string[] =>
  list
    .filter(({ words }) => whole.every((word) => words.includes(word)) && words.some((word) => word.startsWith(prefix)))
    .map(({ _id }) => _id)
    .sort()

/** What is searched for: each word alone, as a beginning, and beside another one. */
const QUERIES: WordQuery[] = WORDS.flatMap((word, i) => [
  { index: 'word', whole: [], prefix: word },
  { index: 'word', whole: [word], prefix: WORDS[(i + 7) % WORDS.length] ?? '' },
  { index: 'word', whole: [word, WORDS[(i + 3) % WORDS.length] ?? ''], prefix: 'a' },
])

async function sameAsLooking(t: Test, view: ModelView, list: readonly Page[], when: string): Promise<void> {
  for (const query of QUERIES) {
    const expected = holding(list, query)
    const found = await view.idsWith(pages, query, 1000)
    const right = found.toSorted().join() === expected.join() && (await view.countWith(pages, query)) === expected.length
    if (!right) t.fail(`${when}: ${JSON.stringify(query)}`, { found, expected, counted: await view.countWith(pages, query) })
  }
  t.pass(when)
}

export async function words(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('are found as by looking at every document, whatever has been written and removed', async (t) => {
    const { store, live } = await library(t, subject)
    const late = await generation(t, store)
    const known = new Map<string, Page>()
    for (let round = 0; round < 12; round++) {
      const changes = someChanges(round)
      for (const { id, after } of changes) {
        if (after === undefined) known.delete(id)
        else known.set(id, after as Page)
      }
      for (const target of [live, late]) await save(target, changes)
      const snapshot = await store.snapshot([PROJECTION])
      await sameAsLooking(t, snapshot.model(PROJECTION), [...known.values()], `after ${round + 1} commits`)
      snapshot.release()
    }
    await late.buildIndexes()
    await store.promote(late.generation)
    const snapshot = await store.snapshot([PROJECTION])
    await sameAsLooking(t, snapshot.model(PROJECTION), [...known.values()], 'built after loading')
    snapshot.release()
  })

  await t.test('no more than asked for', async (t) => {
    const { store } = await library(t, subject, put(pages, { _id: 'p1', words: ['a'] }, { _id: 'p2', words: ['a', 'ab'] }))
    const snapshot = await store.snapshot([PROJECTION])
    const query = { index: 'word', whole: [], prefix: 'a' }
    t.equal((await snapshot.model(PROJECTION).idsWith(pages, query, 1)).length, 1)
    t.equal(await snapshot.model(PROJECTION).countWith(pages, query), 2, 'each is counted once')
    snapshot.release()
  })
}

/** The same for every run and every store. */
function someChanges(round: number): Change[] {
  let state = round * 2_654_435_761 + 1
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const ids = new Set(Array.from({ length: 12 }, () => `p${below(40)}`))
  return [...ids].flatMap((_id) => {
    if (below(4) === 0) return remove(pages, _id)
    return put(pages, { _id, words: Array.from({ length: below(6) }, () => WORDS[below(WORDS.length)] ?? '') })
  })
}
