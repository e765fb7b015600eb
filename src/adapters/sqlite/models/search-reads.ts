import type { Beside, Collection, Doc, IndexValue, Odds, RangeQuery, WordQuery, WordReads } from '../../../ports/document-store.js'
import { firstBehind } from '../../prefix-upper-bound.js'
import { encoded, wordsTable } from './full-text-index.js'
import { parsed } from './parsed.js'
import { findIndex, SqliteReads } from './reads.js'
import { vocabularyTable } from './vocabulary.js'

/** A beginning of so many words is left to the full-text index, which is slower with it than with whole words. */
const MANY_WORDS = 64
/** What they cost, in microseconds: to list a match, and to look for words in the text of a document. */
const LISTING = 0.3
const LOOKING = 2

/** What tells an entry of an index that is walked, `x`, whether `t`, the row beside it with the words, holds them. */
interface Test {
  sql: string
  values: readonly string[]
}

type Place = RangeQuery & { until?: readonly IndexValue[] }

/** Search, in one generation's file. */
export class SqliteWordReads extends SqliteReads implements WordReads {
  async countWith(collection: Collection, query: WordQuery): Promise<number> {
    const beginnings = this.#beginnings(collection, query)
    if (beginnings === null) return this.#counted(collection, query, matchOf(query, null))
    const [most, ...others] = beginnings.toSorted(([, a], [, b]) => b - a)
    if (most === undefined) return 0
    if (query.whole.length > 0) return this.#counted(collection, query, matchOf(query, beginnings))
    // Of the word that most documents hold it is known how many, which leaves those that hold one of the others alone.
    const [word, documents] = most
    return others.length === 0 ? documents : documents + this.#counted(collection, query, `${anyOf(others)} NOT "${word}"`)
  }

  async idsWith(collection: Collection, query: WordQuery, limit: number): Promise<string[]> {
    const match = this.#match(collection, query)
    return match === null ? [] : this.idsMatching(collection, query.index, match, limit)
  }

  async getWith<D extends Doc>(collection: Collection<D>, { collection: words, query }: Beside): Promise<D[]> {
    const match = this.#match(words, query)
    if (match === null) return []
    const table = wordsTable(words, findIndex(words, query.index))
    const statement = this.statement(
      `SELECT d.doc FROM "${table}" AS x CROSS JOIN "${words.name}" AS t ON t.rowid = x.rowid CROSS JOIN "${collection.name}" AS d ON d.id = t.id
       WHERE x."${table}" MATCH ?`,
    )
    return documents(collection, statement.all(match))
  }

  /**
   * Walks the index. Where matches are frequent they are soon found by looking at what the walk comes by. Where they are
   * not, or gather elsewhere in this order, they are listed first. Looking goes twice as far as should be needed, and then on
   * for as long as listing would have taken.
   */
  async rangeWith<D extends Doc>(collection: Collection<D>, query: RangeQuery, beside: Beside, { matches, among }: Odds): Promise<D[]> {
    const expected = (query.limit * among) / matches
    if (expected * LOOKING > matches * LISTING) return this.#walk(collection, query, beside, this.#listed(beside))
    const found: D[] = []
    let place: Place = query
    for (const reach of [2 * expected, (matches * LISTING) / LOOKING]) {
      const until = this.#entryAt(collection, place, Math.ceil(reach))
      found.push(...this.#walk(collection, { ...place, ...(until && { until }) }, beside, written(beside)))
      if (until === undefined || found.length === query.limit) return found
      place = { ...query, after: until, limit: query.limit - found.length }
    }
    return [...found, ...this.#walk(collection, place, beside, this.#listed(beside))]
  }

  #walk<D extends Doc>(collection: Collection<D>, place: Place, { collection: words }: Beside, { sql, values }: Test): D[] {
    const { from, where, sorted, bindings } = this.conditions(collection, place)
    const statement = this.statement(
      `SELECT d.doc FROM ${from} CROSS JOIN "${words.name}" AS t ON t.id = x.id CROSS JOIN "${collection.name}" AS d ON d.id = x.id
       WHERE ${where} AND ${sql} ORDER BY ${sorted} LIMIT ?`,
    )
    return documents(collection, statement.all(...bindings, ...values, place.limit))
  }

  /** The key of an entry so far behind the beginning of a range, unless that ends before. */
  #entryAt(collection: Collection, query: RangeQuery, offset: number): IndexValue[] | undefined {
    const { from, where, sorted, entry, bindings } = this.conditions(collection, query)
    const statement = this.statement(`SELECT ${entry} FROM ${from} WHERE ${where} ORDER BY ${sorted} LIMIT 1 OFFSET ?`)
    return statement.get(...bindings, offset) as unknown as IndexValue[] | undefined
  }

  #listed({ collection, query }: Beside): Test {
    const table = wordsTable(collection, findIndex(collection, query.index))
    const match = this.#match(collection, query)
    // The plus keeps SQLite from going through the list instead of the index.
    return match === null ? NOTHING : { sql: `+t.rowid IN (SELECT rowid FROM "${table}" WHERE "${table}" MATCH ?)`, values: [match] }
  }

  #match(collection: Collection, query: WordQuery): string | null {
    const beginnings = this.#beginnings(collection, query)
    return beginnings?.length === 0 ? null : matchOf(query, beginnings)
  }

  #counted(collection: Collection, { index }: WordQuery, match: string): number {
    const table = wordsTable(collection, findIndex(collection, index))
    const [count] = this.statement(`SELECT count(*) FROM "${table}" WHERE "${table}" MATCH ?`).get(match) as unknown as [number]
    return count
  }

  /** The words with the beginning that is wanted, and how many documents hold each; `null` where there are many. */
  #beginnings(collection: Collection, { index, prefix }: WordQuery): Word[] | null {
    const first = encoded(prefix)
    const behind = firstBehind(first)
    const statement = this.statement(
      `SELECT word, documents FROM "${vocabularyTable(collection, findIndex(collection, index))}"
       WHERE word >= ? ${behind === null ? '' : 'AND word < ?'} LIMIT ${MANY_WORDS + 1}`,
    )
    const words = statement.all(first, ...(behind === null ? [] : [behind])) as unknown as Word[]
    return words.length > MANY_WORDS ? null : words
  }
}

type Word = [word: string, documents: number]

const NOTHING: Test = { sql: 'FALSE', values: [] }

const documents = <D extends Doc>(collection: Collection<D>, rows: readonly unknown[]): D[] =>
  (rows as [string][]).map(([doc]) => parsed(collection, doc))

/** A question in the words of the full-text index. */
function matchOf({ whole, prefix }: WordQuery, beginnings: readonly Word[] | null): string {
  const last = beginnings === null ? `"${encoded(prefix)}" *` : anyOf(beginnings)
  return [...whole.map((word) => `"${encoded(word)}"`), last].join(' AND ')
}

const anyOf = (words: readonly Word[]): string => `(${words.map(([word]) => `"${word}"`).join(' OR ')})`

/** Nearly all documents are told by their text alone; only where it holds the words is it read as what it is. */
function written({ collection, query: { index, whole, prefix } }: Beside): Test {
  const texts = [...whole.map((word) => JSON.stringify(word)), JSON.stringify(prefix).slice(0, -1)]
  const list = `json_each(t.doc, '$.${findIndex(collection, index).each}')`
  const held = [...whole.map(() => 'value = ?'), 'instr(value, ?) = 1'].map((is) => `EXISTS (SELECT 1 FROM ${list} WHERE ${is})`)
  return { sql: [...texts.map(() => 'instr(t.doc, ?)'), ...held].join(' AND '), values: [...texts, ...whole, prefix] }
}
