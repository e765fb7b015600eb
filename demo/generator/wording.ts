import { at, type SeededRandom } from '../random.js'
import { type ByLanguage, CLOSING_SENTENCES, type Language, REVISED_TITLES, TWISTS } from '../words/index.js'
import type { Idea } from './ideas.js'

/** The chosen sentences of an idea, the same in all languages, so that translations agree. */
export interface Wording {
  idea: Idea
  /** What a remix changes, or null. */
  twist: number | null
  /** Sentences after the first one. */
  more: readonly ByLanguage<string>[]
}

/** Chooses what the description says beside what the thing does. */
export function chooseWording(idea: Idea, twist: number | null, dice: SeededRandom): Wording {
  const more: ByLanguage<string>[] = []
  if (twist !== null) more.push(twistSentence(twist))
  if (dice.chance(3, 5)) more.push(dice.pick(detailsFor(idea)))
  if (more.length < 2 && dice.chance(2, 5)) more.push(dice.pick(CLOSING_SENTENCES.anything))
  return { idea, twist, more }
}

export function title({ idea, twist }: Wording, language: Language): string {
  const plain = fill(idea.phrase[language].title, idea, language)
  const branded = idea.brand === null ? plain : `${idea.brand}${language === 'ja' ? '：' : ': '}${plain}`
  if (twist === null) return branded
  const change = at(TWISTS, twist)[language].title
  return language === 'ja' ? `${branded}（${change}）` : `${branded} – ${change}`
}

/** The title after an edit. */
export function revisedTitle(told: Wording, revision: number, language: Language): string {
  return at(REVISED_TITLES, revision % REVISED_TITLES.length)[language].replace('{t}', () => title(told, language))
}

export function description({ idea, more }: Wording, language: Language): string {
  const sentences = [fill(idea.phrase[language].text, idea, language), ...more.map((sentence) => sentence[language])]
  return sentences.join(language === 'ja' ? '' : ' ')
}

export function byLanguage(languages: readonly Language[], write: (language: Language) => string): Record<string, string> {
  return Object.fromEntries(languages.map((language) => [language, write(language)]))
}

/**
 * Fills the slots of a pattern. `{p}` is the place. `{x}` is the topic as a plural or uncountable noun, `{X}` the topic
 * as titles need it (in English and German before another noun), `{Xs}` the English noun as in a title, `{lx}` the
 * Spanish noun with its article, `{n}` the German noun as an accusative.
 */
function fill(pattern: string, { about }: Idea, language: Language): string {
  if ('place' in about) return pattern.replaceAll('{p}', about.place[language])
  const { topic } = about
  switch (language) {
    case 'en':
      return upperFirst(
        pattern
          .replaceAll('{Xs}', () => titleCase(topic.enNoun))
          .replaceAll('{X}', topic.enName)
          .replaceAll('{x}', topic.enNoun),
      )
    case 'es':
      return contracted(pattern.replaceAll('{lx}', topic.esWithArticle)).replaceAll('{X}', upperFirst(topic.es)).replaceAll('{x}', topic.es)
    case 'de':
      return compound(pattern, topic.deStem).replaceAll('{n}', topic.deNoun)
    case 'ja':
      return pattern.replaceAll('{x}', topic.ja)
  }
}

/** Spanish contracts preposition and article. */
const contracted = (text: string): string => text.replace(/\b(de|a) el /g, (_, preposition: string) => `${preposition}l `)

/** German joins nouns with a hyphen, unless the first one has its joint already (`Geschichts~` + `Quiz`). */
function compound(pattern: string, stem: string): string {
  if (!stem.endsWith('~')) return pattern.replaceAll('{X}', stem)
  const bound = stem.slice(0, -1)
  return pattern.replace(/\{X\}-(\p{L})/gu, (_, first: string) => `${bound}${first.toLowerCase()}`)
}

const SMALL_WORDS = new Set(['of', 'the', 'and', 'in', 'for'])

function titleCase(text: string): string {
  return text
    .split(' ')
    .map((word) => (SMALL_WORDS.has(word) ? word : upperFirst(word)))
    .join(' ')
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Games and experiences have their own sentences, everything else those of its category. */
function detailsFor({ kind, category }: Idea): readonly ByLanguage<string>[] {
  if (kind === 'game') return CLOSING_SENTENCES.games
  return kind === 'experience' ? CLOSING_SENTENCES.experiences : category.details
}

function twistSentence(twist: number): ByLanguage<string> {
  const { en, es, de, ja } = at(TWISTS, twist)
  return { en: en.text, es: es.text, de: de.text, ja: ja.text }
}
