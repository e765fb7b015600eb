import type { Language } from '../languages.js'
import { type FoundName, findName, type KnownNames } from './find-names.js'
import { matchIntent, type ParsedText } from './intent.js'
import { NAME_PLACEHOLDER, PATTERNS } from './patterns.js'
import { aboutCreation, CREATOR_INTENTS } from './slots.js'
import { correctedSpellings } from './spelling.js'
import type { Vocabulary } from './vocabulary.js'

export interface ParsedQuestion extends ParsedText {
  /** The question with the name in it replaced. */
  textWithoutName: string
  /** The only known handle one typo away from the one in the question, which is not known itself. */
  similarHandle: string | null
}

/** Parses a question, names of creators and creations first: a word of a name means nothing else. `names`: one entry per language. */
export function parseQuestion(text: string, language: Language, vocabulary: Vocabulary, names: readonly KnownNames[]): ParsedQuestion {
  const asWritten = matchIntent(text, language, vocabulary)
  const { handle } = asWritten.slots
  if (handle !== null) return { ...asWritten, textWithoutName: text, similarHandle: similarHandle(handle, names) }
  const found = findName(text, names, language) ?? (asWritten.asksHow ? null : findMisspelledName(text, names, language))
  if (found === null || !isNameIntended(found, text, asWritten, language))
    return { ...asWritten, textWithoutName: text, similarHandle: null }
  const { textWithoutName } = found
  const parsed = matchIntent(textWithoutName, language, vocabulary)
  const slots =
    found.slug === null ? { ...parsed.slots, handle: found.handle, name: null } : aboutCreation(found.handle, found.slug, parsed.slots)
  return { ...parsed, slots, textWithoutName, similarHandle: null }
}

function similarHandle(handle: string, names: readonly KnownNames[]): string | null {
  const written = handle.toLowerCase()
  if (names.some(({ handles }) => handles.has(written))) return null
  const similar = new Set(names.flatMap(({ handles, spelling }) => spelling.oneTypoAway(written).filter((word) => handles.has(word))))
  const [only] = similar
  return only === undefined || similar.size > 1 ? null : only
}

/** Used only if no name is found as written. */
function findMisspelledName(text: string, names: readonly KnownNames[], language: Language): FoundName | null {
  for (const { spelling } of names) {
    for (const spelled of correctedSpellings(text, spelling, language)) {
      const found = findName(spelled, names, language)
      // One word that is nearly a name may be an ordinary word.
      if (found !== null) return { ...found, isAmbiguous: found.isAmbiguous || (found.slug === null && !found.handle.includes('-')) }
    }
  }
  return null
}

/** "Most liked habit tracker" asks for a list, even if a creation is called "Habit Tracker". */
function isNameIntended(
  { textWithoutName, isAmbiguous, slug }: FoundName,
  text: string,
  { slots }: ParsedText,
  language: Language,
): boolean {
  const patterns = PATTERNS[language]
  const asksAboutPeople =
    (slots.intent !== null && CREATOR_INTENTS.has(slots.intent)) || patterns.who.test(text.toLowerCase()) || /['’]s\b/.test(text)
  if (isAmbiguous) return asksAboutPeople
  if (slug === null || slots.name !== null) return true
  const before = textWithoutName.toLowerCase().split(NAME_PLACEHOLDER)[0]?.trimEnd() ?? ''
  return !patterns.sorts.some(([, pattern]) => new RegExp(`(?:${pattern.source})$`, 'u').test(before))
}
