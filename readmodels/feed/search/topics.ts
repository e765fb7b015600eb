/** A thesaurus of everyday topics, which widens a search when it is read. No index depends on it. */
import { readdirSync } from 'node:fs'
import { z } from 'zod'
import { editDistance } from '../../../src/lib/edit-distance.js'
import { packageRoot, readJson } from '../../../src/lib/package-root.js'
import { words } from '../../../src/lib/tokenize.js'
import { WordBuckets } from '../../../src/lib/word-buckets.js'
import { mistakesIn } from './spelling.js'
import { formsToFind, STEMMED, stem } from './stems.js'

const FOLDER = 'content/topics/'

const Topic = z.strictObject({
  topic: z.string().regex(/^[a-z0-9-]+$/),
  words: z.record(z.string(), z.array(z.string().min(1))),
  broader: z.array(z.string()),
  related: z.array(z.string()),
})
type Topic = z.output<typeof Topic>

/** The forms of a word, and whether it stands for the same topic or for a related one. */
export interface Related {
  forms: readonly string[]
  near: boolean
}

const HEADS = 2

interface Entry {
  /** The forms of each of its words. Phrases are none of them: they say more than each of their words. */
  words: readonly (readonly string[])[]
  /** The same of the first in each language, which are what other topics lead to. */
  heads: readonly (readonly string[])[]
  /** Broader, narrower and related topics. */
  around: Set<Entry>
}

const MAX_PHRASE = 4

export class Thesaurus {
  /** By its words and phrases, and by the stems of each language. */
  readonly #entries = new Map<string, Entry[]>()
  readonly #spellings: WordBuckets

  /** Throws where two topics have one name, or a name leads nowhere. */
  constructor(topics: readonly Topic[]) {
    const named = new Map<string, Entry>()
    const spellings = new Set<string>()
    for (const { topic, words: byLanguage } of topics) {
      if (named.has(topic)) throw new Error(`${FOLDER}: two topics are called "${topic}"`)
      const all = Object.entries(byLanguage).flatMap(([language, list]) => list.map((entry) => [language, words(entry)] as const))
      const single = all.flatMap(([language, [word, ...more]]) =>
        word === undefined || more.length > 0 ? [] : [[language, word] as const],
      )
      const heads = Object.keys(byLanguage).flatMap((language) => single.filter(([of]) => of === language).slice(0, HEADS))
      const forms = (of: typeof single) => of.map(([language, word]) => formsToFind(language, word))
      const entry: Entry = { words: forms(single), heads: forms(heads), around: new Set() }
      for (const [, entered] of all) for (const word of entered) spellings.add(word)
      const stems = single.map(([language, word]) => `${language}:${stem(language, word)}`)
      for (const key of new Set([...all.map(([, entered]) => entered.join(' ')), ...stems]))
        this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry])
      named.set(topic, entry)
    }
    for (const { topic, broader, related } of topics) {
      for (const name of [...broader, ...related]) {
        const [one, other] = [named.get(topic), named.get(name)]
        if (one === undefined || other === undefined) throw new Error(`${FOLDER}: "${topic}" names the topic "${name}", which is none`)
        one.around.add(other)
        other.around.add(one)
      }
    }
    this.#spellings = new WordBuckets(spellings)
  }

  /** Its phrases in a text, as their words. */
  phrasesAmong(all: readonly string[]): string[][] {
    const found: string[][] = []
    for (let length = 2; length <= MAX_PHRASE; length += 1) {
      for (let from = 0; from + length <= all.length; from += 1) {
        const phrase = all.slice(from, from + length)
        if (this.#entries.has(phrase.join(' '))) found.push(phrase)
      }
    }
    return found
  }

  knows(word: string): boolean {
    return this.#entriesOf(word).length > 0
  }

  /** The other words of the topics of a word, and of those around them. By its stems where the word itself is in none. */
  related(word: string): Related[] {
    const own = new Set(this.#entriesOf(word))
    const around = new Set([...own].flatMap((entry) => [...entry.around]).filter((entry) => !own.has(entry)))
    const near = [...own].flatMap(({ words }) => words).map((forms) => ({ forms, near: true }))
    const other = [...around].flatMap(({ heads }) => heads).map((forms) => ({ forms, near: false }))
    return [...near, ...other]
  }

  #entriesOf(word: string): Entry[] {
    return this.#entries.get(word) ?? this.#byStem(word)
  }

  #byStem(word: string): Entry[] {
    // Most words of other languages end otherwise than their stems: "play" is not the stem of "playa" here.
    return STEMMED.flatMap((language) => {
      const stemmed = stem(language, word)
      return language !== 'en' && stemmed === word ? [] : (this.#entries.get(`${language}:${stemmed}`) ?? [])
    })
  }

  /** Words with the same first letter that a misspelled one may mean. */
  spelledLike(misspelled: string): string[] {
    const most = mistakesIn(misspelled)
    return this.#spellings.filter(misspelled, most, (word) => editDistance(misspelled, word, most) <= most)
  }
}

let loaded: Thesaurus | undefined

/** Read by the first search, or when a service warms up: it takes a third of a second, and projectors need none of it. */
export function thesaurus(): Thesaurus {
  if (loaded !== undefined) return loaded
  const files = readdirSync(new URL(FOLDER, packageRoot)).filter((file) => file.endsWith('.json'))
  loaded = new Thesaurus(files.sort().flatMap((file) => readJson(FOLDER + file, z.array(Topic))))
  return loaded
}
