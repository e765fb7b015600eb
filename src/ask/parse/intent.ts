import { isTechnical } from '../../../content/ask/patterns/technical.js'
import type { Language } from '../languages.js'
import { NAME_PLACEHOLDER, PATTERNS, type QuestionPatterns } from './patterns.js'
import { EMPTY_SLOTS, type Intent, kindWithin, type Slots } from './slots.js'
import { correctIntentWords } from './spelling.js'
import { searchWords, terms } from './terms.js'
import { matchCategory, matchFullCategoryName, matchTag, type Vocabulary } from './vocabulary.js'
import { isFiller, isStopWord, isVague } from './word-lists.js'

export interface ParsedText {
  slots: Slots
  /** It asks how things work, which the documentation answers. */
  asksHow: boolean
  /** It compares things, which no answer here does. */
  isComparison: boolean
  /** Only a superlative or an amount points to the community, and there are other words. */
  isWeakMatch: boolean
  /** It ranks or counts creators, which nothing here does. */
  ranksCreators: boolean
  /** It asks for what is not public. */
  asksPrivate: boolean
  /** It asks for a number. */
  asksCount: boolean
  /** It makes sense only after an earlier question. */
  isFollowUp: boolean
}

/** Finds the intent and the slots of a question. It does not check that what the question names exists. */
export function matchIntent(text: string, language: Language, vocabulary: Vocabulary): ParsedText {
  const patterns = PATTERNS[language]
  const named = explicitNames(unquotedTags(text))
  const rest = correctIntentWords(unquotedTags(text).replace(EXPLICIT_NAMES, ` ${NAME_PLACEHOLDER} `).toLowerCase(), language)
  const whole = rest
    .replace(/[\s?？!！。.]+$/u, '')
    .replace(/\s+/g, ' ')
    .trim()
  const sort = patterns.sorts.find(([, pattern]) => pattern.test(whole))?.[0] ?? null
  const tag = tagOf(whole, patterns, language, vocabulary)
  const kind = patterns.kinds.find(([, pattern]) => pattern.test(whole))?.[0] ?? null
  const place = tag === null ? categoryOf(whole, patterns, language, vocabulary) : null
  // The games of one creator are those of kind game, in any category.
  const category = place === 'games' && kind === 'game' && whole.includes(NAME_PLACEHOLDER) ? null : place
  const slots: Slots = {
    ...EMPTY_SLOTS,
    ...named,
    intent: intentOf(whole, patterns, {
      slug: named.slug !== null,
      tag: tag !== null,
      countable:
        named.handle !== null ||
        named.name !== null ||
        tag !== null ||
        category !== null ||
        kind !== null ||
        patterns.creations.test(whole) ||
        patterns.featured.test(whole) ||
        patterns.remixes.test(whole),
    }),
    sort,
    tag,
    category,
    kind: kindWithin(category, kind),
    featured: patterns.featured.test(whole),
    remixed: patterns.remixes.test(whole) && sort !== 'remixed' && named.slug === null && named.name === null,
    limit:
      Number(
        /\b(?:top|best|first|die|los|las|上位|トップ)\s?(\d{1,2})\b|\b(\d{1,2})\s?(?:apps|games|trackers|spiele|juegos|個|つ|件)/
          .exec(whole)
          ?.slice(1)
          .find(Boolean) ?? 0,
      ) || null,
  }
  return {
    slots,
    asksHow:
      isTechnical(text.replace(EXPLICIT_NAMES, ' ')) ||
      (patterns.howItWorks.test(whole) && slots.intent !== 'tags' && slots.intent !== 'categories'),
    isComparison: patterns.comparison.test(whole),
    isWeakMatch: hasOnlyWeakSlots(slots) && !patterns.creations.test(whole) && searchWords(whole, language).length > 0,
    ranksCreators:
      patterns.creatorsInGeneral.test(whole) &&
      kind === null &&
      (sort !== null || patterns.ranking.test(whole) || asksToCount(whole, patterns)),
    asksPrivate: patterns.notPublic.test(whole),
    asksCount: asksToCount(whole, patterns),
    isFollowUp: patterns.followUp.test(whole),
  }
}

const asksToCount = (text: string, patterns: QuestionPatterns): boolean =>
  patterns.intents.some(([intent, pattern]) => intent === 'count' && pattern.test(text))

const hasOnlyWeakSlots = ({ intent, handle, name, tag, category, kind, featured, remixed }: Slots): boolean =>
  (intent === null || intent === 'count' || intent === 'made') &&
  [handle, name, tag, category, kind].every((slot) => slot === null) &&
  !featured &&
  !remixed

/** `@handle`, `handle/slug`, a public address, or anything in quotes. */
const EXPLICIT_NAMES =
  /https?:\/\/\S+|(?<!\w)@[a-z0-9-]+(?:\/[\w.-]+)?|(?<![\w/.-])[a-z0-9][a-z0-9-]*\/[a-z0-9][\w.-]*(?![\w/])|["“”„«»「」『』][^"“”„«»「」『』]+["“”„«»「」『』]/giu

/** A tag in quotes is a tag, not a title. */
const unquotedTags = (text: string): string =>
  text
    .replace(
      /(tag(?:ged)?(?: with| as)?|etiquetad[oa]s? con|etiqueta|getaggt(?: mit)?|タグ)(\s*)["“„«「『]([^"“”„«»「」『』]+)["”“»」』]/giu,
      '$1$2#$3 ',
    )
    .replace(/["“„«「『]([^"“”„«»「」『』]+)["”“»」』](\s*(?:の|という)?タグ|\s+getaggt)/giu, '#$1$2')

function explicitNames(text: string): Pick<Slots, 'handle' | 'slug' | 'name'> {
  for (const [match] of text.matchAll(EXPLICIT_NAMES)) {
    const address = /^https?:\/\/([a-z0-9-]+)\.[^/]+\/?([\w.-]*)$/i.exec(match)
    if (address !== null) return { handle: address[1] ?? null, slug: address[2] || null, name: null }
    const [, handle, slug] = /^@?([a-z0-9-]+)(?:\/([\w.-]*\w))?$/i.exec(match) ?? []
    if (handle !== undefined) return { handle, slug: slug ?? null, name: null }
    if (!match.startsWith('http')) return { handle: null, slug: null, name: match.slice(1, -1).trim() }
  }
  return { handle: null, slug: null, name: null }
}

function intentOf(text: string, patterns: QuestionPatterns, has: { slug: boolean; tag: boolean; countable: boolean }): Slots['intent'] {
  const fits = (intent: Intent) => !(intent === 'tags' && has.tag) && (intent !== 'count' || has.countable)
  if (patterns.maker.test(text)) return 'creation'
  if (patterns.origin.test(text) && (has.slug || text.includes(NAME_PLACEHOLDER))) return 'creation'
  const found = patterns.intents.find(([intent, pattern]) => pattern.test(text) && fits(intent))?.[0] ?? null
  return has.slug && found !== 'leaderboard' && found !== 'remixes' ? 'creation' : found
}

function tagOf(text: string, patterns: QuestionPatterns, language: Language, vocabulary: Vocabulary): string | null {
  const match = patterns.tagged.exec(text)
  const phrase = match?.slice(1).find((group) => group !== undefined)
  const words = phrase === undefined ? [] : wordsOf(phrase, language)
  const known = matchTag(words, vocabulary) ?? tagBefore(text, patterns, language, vocabulary)
  if (known !== null || (language === 'ja' && !text.includes('#'))) return known
  // An unused tag is still the one that was asked for.
  return words.find((word) => !isStopWord(language, word) && !isVague(language, word) && !isFiller(language, word)) ?? null
}

function tagBefore(text: string, patterns: QuestionPatterns, language: Language, vocabulary: Vocabulary): string | null {
  const phrase = patterns.tagBefore?.exec(text)?.[1]
  if (phrase === undefined) return null
  const words = wordsOf(phrase, language)
  return matchTag(words, vocabulary) ?? matchTag(words.slice(1), vocabulary)
}

function categoryOf(text: string, patterns: QuestionPatterns, language: Language, vocabulary: Vocabulary): string | null {
  const inFull = matchFullCategoryName(text, vocabulary)
  if (inFull !== null) return inFull
  let rest = text
  for (let places = 0; places < MAX_PLACES; places += 1) {
    const match = patterns.inCategory.exec(rest)
    if (match === null) return null
    const words = wordsOf((match[1] ?? '').slice(0, MAX_PLACE_LENGTH), language)
    const found = matchCategory(words, vocabulary) ?? matchCategory(words.slice(1), vocabulary)
    if (found !== null) return found
    // The pattern matches to the end of the text; a later "in" may name the category.
    rest = rest.slice(match.index + 2)
  }
  return null
}

/** More prepositions than a question has. In Japanese every second character may be a place. */
const MAX_PLACES = 60
/** The name of a category is at the beginning. */
const MAX_PLACE_LENGTH = 40

const wordsOf = (phrase: string, language: Language): string[] =>
  language === 'ja' ? [phrase, ...terms(phrase, 'ja')] : (phrase.match(/[\p{L}\p{N}\p{M}-]+/gu) ?? [])
