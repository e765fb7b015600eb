import type { Test } from 'tap'
import type { ModelView, SearchQuery, Selectivity } from '../../../src/ports/document-store.js'
import {
  type Book,
  book,
  books,
  type Change,
  type DocumentStoreSubject,
  generation,
  openLibrary,
  type Page,
  PROJECTION,
  pages,
  put,
  remove,
  save,
} from '../library-model.js'

/** Hard for a store with its own word index: signs, capitals, operators, other scripts, words that begin with each other. */
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

const holding = (list: readonly Page[], { terms, prefix }: SearchQuery): string[] =>
  list
    .filter(
      ({ words }) => terms.every((word) => words.includes(word)) && (prefix === null || words.some((word) => word.startsWith(prefix))),
    )
    .map(({ _id }) => _id)
    .sort()

/** What is searched for: each word alone, as a beginning, and beside another one. */
const QUERIES: SearchQuery[] = WORDS.flatMap((word, i) => [
  { index: 'word', terms: [], prefix: word },
  { index: 'word', terms: [word], prefix: null },
  { index: 'word', terms: [word, WORDS[(i + 5) % WORDS.length] ?? ''], prefix: null },
  { index: 'word', terms: [word], prefix: WORDS[(i + 7) % WORDS.length] ?? '' },
  { index: 'word', terms: [word, WORDS[(i + 3) % WORDS.length] ?? ''], prefix: 'a' },
])

async function sameAsLooking(t: Test, view: ModelView, list: readonly Page[], when: string): Promise<void> {
  for (const query of QUERIES) {
    const expected = holding(list, query)
    const found = await view.idsMatching(pages, query)
    const some = list.filter((_, i) => i % 2 === 0)
    // Also one that is not there, and more than are looked at one by one.
    const among = [...some.map(({ _id }) => _id), ...Array.from({ length: list.length % 2 === 0 ? 1 : 1500 }, (_, i) => `none ${i}`)]
    const foundAmong = await view.idsMatching(pages, query, among)
    const right =
      found.toSorted().join() === expected.join() &&
      foundAmong.join() === among.filter((id) => expected.includes(id)).join() &&
      (await view.countMatching(pages, query)) === expected.length
    if (!right) t.fail(`${when}: ${JSON.stringify(query)}`, { found, expected, counted: await view.countMatching(pages, query) })
  }
  t.pass(when)
}

export async function searching(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test('are found as by looking at every document, after any writes and removals', async (t) => {
    const { store, live } = await openLibrary(t, subject)
    const late = await generation(t, store)
    const known = new Map<string, Page>()
    for (let round = 0; round < 6; round++) {
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

  await t.test('and each is counted once', async (t) => {
    const { store } = await openLibrary(t, subject, put(pages, { _id: 'p1', words: ['a'] }, { _id: 'p2', words: ['a', 'ab'] }))
    const snapshot = await store.snapshot([PROJECTION])
    t.equal(await snapshot.model(PROJECTION).countMatching(pages, { index: 'word', terms: [], prefix: 'a' }), 2)
    snapshot.release()
  })

  await t.test('and so are documents beside them, in the order of an index', async (t) => {
    const shelf = Array.from({ length: 30 }, (_, i) => book(`p${i}`, { tags: ['here'], loans: (i * 7) % 5 }))
    const elsewhere = book('p30', { tags: ['there'] })
    const list = [...shelf, elsewhere].map(({ _id }, i) => ({ _id, words: DECEPTIVE.filter((_, n) => (i * (n + 3)) % 4 < 2) }))
    const wordless = book('p31', { tags: ['here'] })
    const bookless = { _id: 'p32', words: DECEPTIVE }
    const { store } = await openLibrary(t, subject, [...put(books, ...shelf, elsewhere, wordless), ...put(pages, ...list, bookless)])
    const snapshot = await store.snapshot([PROJECTION])
    t.teardown(() => snapshot.release())
    const view = snapshot.model(PROJECTION)
    for (const [i, word] of DECEPTIVE.entries()) {
      for (const terms of [[], [DECEPTIVE[(i + 1) % DECEPTIVE.length] ?? '']]) {
        const query = { index: 'word', terms, prefix: word }
        const holders = holding(list, query)
        const expected = shelf.filter(({ _id }) => holders.includes(_id)).sort(byLoans)
        for (const selectivity of SELECTIVITIES)
          t.same(await inTurn(view, query, selectivity), expected, JSON.stringify({ query, selectivity }))
      }
    }
  })
}

/** Such as the text of a document may hold without their being words of it. */
const DECEPTIVE = ['_id', 'p1', 'words', 'word', ',', ']', ':', '"', '\\', 'a"b', 'n', '\n', '潮汐', '潮', '🌊']

/** Right, or far off to either side: only the way may depend on them. */
const SELECTIVITIES: Selectivity[] = [
  { matches: 15, total: 30 },
  { matches: 10_000, total: 10_000 },
  { matches: 1, total: 1_000_000 },
  { matches: 1_000_000, total: 1 },
]

const byLoans = (a: Book, b: Book): number => b.loans - a.loans || (a._id < b._id ? 1 : -1)

/** A few at a time, to the end. */
async function inTurn(view: ModelView, query: SearchQuery, selectivity: Selectivity): Promise<Book[]> {
  const found: Book[] = []
  for (;;) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { after: [last.loans, last._id] }
    const place = { index: 'tagLoans', equals: ['here'], limit: 4, ...after }
    const some = await view.rangeMatching(books, place, { collection: pages, query }, selectivity)
    found.push(...some)
    if (some.length < place.limit) return found
  }
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
