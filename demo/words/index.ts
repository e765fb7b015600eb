/** The words of the demo: JSON files beside this one, checked when loaded. The order of every list is part of the demo log. */

import { z } from 'zod'
import { KINDS } from '../../src/events/index.js'
import { readJson } from '../../src/lib/package-root.js'
import { plainLetters } from '../slugs.js'

export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]
export type ByLanguage<T> = Record<Language, T>

const load = <Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> => readJson(`demo/words/${name}.json`, schema)

const Text = z.string().min(1)
const Texts = byLanguage(Text)
/** Words in one line, separated by spaces. */
const Line = Text.transform((line) => line.split(' '))
const Lines = z.array(Line).transform((lines) => lines.flat())

function byLanguage<Schema extends z.ZodType>(value: Schema) {
  return z.strictObject({ en: value, es: value, de: value, ja: value })
}

/** A title pattern and the sentence that goes with it. `fill` in ../generator/wording.ts lists the slots. */
const Phrase = z.tuple([Text, Text]).transform(([title, text]) => ({ title, text }))
const Phrases = byLanguage(Phrase)
export type Phrase = z.output<typeof Phrase>

/** A section of the gallery: its name, the kinds it takes, and sentences that suit everything in it. */
const Category = z.strictObject({ slug: Text, kinds: z.array(z.enum(KINDS)), label: Texts, details: z.array(Texts) })
export type Category = z.output<typeof Category>
export const CATEGORIES = load('categories', z.array(Category))

/** What a creation is about, in the shapes that the patterns of each language need. */
const Topic = z.tuple([Text, Text, Text, Text, Text, Text]).transform(([enName, enNoun, esWithArticle, deStem, deNoun, ja]) => ({
  /** Before another noun: "Night Train". */
  enName,
  /** Alone, as plural or uncountable: "night trains". */
  enNoun,
  /** Plural or uncountable, without and with its article: "trenes nocturnos", "los trenes nocturnos". */
  es: esWithArticle.replace(/^(el|la|los|las) /, ''),
  esWithArticle,
  /** First part of a compound: "Nachtzug". It ends with `~` where no hyphen follows: "Geschichts~". */
  deStem,
  /** Plural or uncountable, as an accusative: "Nachtzüge". */
  deNoun,
  ja,
}))
export type Topic = z.output<typeof Topic>
/** By category slug. */
export const TOPICS = load('topics', z.record(Text, z.array(Topic)))

/** What can be made of a topic. Without `categories` it suits all of them. */
const Form = Phrases.extend({ categories: Line.optional() }).transform(({ categories, ...phrase }) => ({ phrase, categories }))
export const FORMS = load('forms', z.record(z.enum(KINDS), z.array(Form)))

/** Things people make for the place they live in; `{p}` is the place. */
const LocalIdea = Phrases.extend({ category: Text, kind: z.enum(KINDS), byTheSea: z.boolean() }).transform(
  ({ category, kind, byTheSea, ...phrase }) => ({ category, kind, byTheSea, phrase }),
)
export type LocalIdea = z.output<typeof LocalIdea>
export const LOCAL_IDEAS = load('local-ideas', z.array(LocalIdea))

const Place = z.tuple([Text, Text, Text, Text]).transform(([en, es, de, ja]) => ({ en, es, de, ja }))
export type Place = z.output<typeof Place>
/** Coasts have tides and ferries, cities have streets and trams. */
export const PLACES = load('places', z.strictObject({ coasts: z.array(Place), cities: z.array(Place) }))

/** What a remix changes: the words after its title, and a sentence. */
export const TWISTS = load('twists', z.array(Phrases))
/** How a title reads after an edit; `{t}` is the title before. */
export const REVISED_TITLES = load('revised-titles', z.array(Texts))
/** Last sentences of a description: for anything, for games, for experiences. */
export const CLOSING_SENTENCES = load(
  'closing-sentences',
  z.strictObject({ anything: z.array(Texts), games: z.array(Texts), experiences: z.array(Texts) }),
)
/** Invented names before a title, the same in every language. */
export const BRANDS = load('brands', Lines)
/** By category, for anything, and by the creation's language; the most used first. */
export const TAGS = load('tags', z.strictObject({ byCategory: z.record(Text, z.array(Text)), common: z.array(Text), byLanguage: Texts }))

/** How people of one culture are called; `佐藤/sato` gives the spelling in a handle where letters cannot be derived. */
const Culture = z
  .strictObject({
    language: z.enum(LANGUAGES),
    familyFirst: z.boolean().default(false),
    given: Line,
    family: Line,
    cities: z.array(Text),
  })
  .transform(({ language, given, family, ...rest }) => ({
    ...rest,
    language,
    given: given.map((entry) => name(entry, language)),
    family: family.map((entry) => name(entry, language)),
  }))
export type Culture = z.output<typeof Culture>
export type Name = Culture['given'][number]
export const CULTURES = load('names', z.array(Culture))

function name(entry: string, language: Language): { shown: string; latin: string } {
  const [shown = '', latin] = entry.split('/')
  return { shown, latin: latin ?? plainLetters(shown, language).replace(/[^a-z]/g, '') }
}

/** Two halves of a short biography, without grammatical gender; `{city}` is where the person lives. */
export const BIOGRAPHIES = load(
  'biographies',
  z.strictObject({ firstHalves: byLanguage(z.array(Text)), secondHalves: byLanguage(z.array(Text)) }),
)

/** Words around a name, as in `maya-bakes`, `studio-maya`, `okafor-labs`; without one, `quiet-otter`; before a changed handle, `its-maya`. */
export const HANDLE_WORDS = load(
  'handle-words',
  z.strictObject({ doings: Lines, studios: Lines, houses: Lines, moods: Lines, creatures: Lines, greetings: Lines }),
)
