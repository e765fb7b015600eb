/** A thesaurus of everyday topics, which widens a search when it is read. No index depends on it. */
import { readdirSync } from 'node:fs'
import { z } from 'zod'
import { packageRoot, readJson } from '../../../src/lib/package-root.js'
import { words } from '../../../src/lib/tokenize.js'
import { formsIn, formsOf } from './stems.js'

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

interface Entry {
  /** The forms of each of its words. No phrases: they say more than each of their words. */
  forms: readonly (readonly string[])[]
  /** Broader, narrower and related topics. */
  around: Set<Entry>
}

/** The topics of each form. */
type Thesaurus = ReadonlyMap<string, ReadonlySet<Entry>>

/** Throws where two topics have one name, or a name leads nowhere. */
export function thesaurusOf(topics: readonly Topic[]): Thesaurus {
  const entries = new Map<string, Entry>()
  for (const { topic, words } of topics) {
    if (entries.has(topic)) throw new Error(`${FOLDER}: two topics are called "${topic}"`)
    entries.set(topic, { forms: formsInTopic(words), around: new Set() })
  }
  for (const { topic, broader, related } of topics) {
    for (const name of [...broader, ...related]) {
      const [one, other] = [entries.get(topic), entries.get(name)]
      if (one === undefined || other === undefined) throw new Error(`${FOLDER}: "${topic}" names the topic "${name}", which is none`)
      one.around.add(other)
      other.around.add(one)
    }
  }
  const byForm = new Map<string, Set<Entry>>()
  for (const entry of entries.values()) for (const form of entry.forms.flat()) byForm.set(form, (byForm.get(form) ?? new Set()).add(entry))
  return byForm
}

function formsInTopic(byLanguage: Topic['words']): (readonly string[])[] {
  return Object.entries(byLanguage).flatMap(([language, all]) =>
    all.flatMap((entry) => {
      const [word, ...more] = words(entry)
      return word === undefined || more.length > 0 ? [] : [formsIn(language, word)]
    }),
  )
}

const THESAURUS = thesaurusOf(
  readdirSync(new URL(FOLDER, packageRoot))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => readJson(FOLDER + file, z.array(Topic))),
)

/** The other words of the topics of a word, and of those around them. By its stems where the thesaurus does not have the word itself. */
export function relatedWords(word: string, thesaurus: Thesaurus = THESAURUS): Related[] {
  const own = new Set(thesaurus.get(word) ?? formsOf(word).flatMap((form) => [...(thesaurus.get(form) ?? [])]))
  const around = new Set([...own].flatMap((entry) => [...entry.around]).filter((entry) => !own.has(entry)))
  const of = (entries: ReadonlySet<Entry>, near: boolean) => [...entries].flatMap(({ forms }) => forms.map((each) => ({ forms: each, near })))
  return [...of(own, true), ...of(around, false)]
}
