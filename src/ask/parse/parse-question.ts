import { getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import type { LiveContext } from '../answer/live-answer.js'
import type { Language } from '../languages.js'
import type { KnownNames, NameDirectory } from '../retrieve/name-directory.js'
import { type FoundName, findName } from './find-names.js'
import { matchIntent, type ParsedText } from './intent.js'
import { PATTERNS } from './patterns.js'
import { CREATOR_INTENTS, EMPTY_SLOTS, type Slots } from './slots.js'
import { correctedSpellings } from './spelling.js'
import type { Vocabulary } from './vocabulary.js'

export interface ParsedQuestion extends ParsedText {
  /** The question with the name in it taken out. */
  textWithoutName: string
}

/** Takes a question apart, names of creators and creations first: they may contain any word, which then means nothing else. */
export async function parseQuestion(
  text: string,
  { models, language }: LiveContext,
  vocabulary: Vocabulary,
  directory: NameDirectory,
): Promise<ParsedQuestion> {
  const asWritten = matchIntent(text, language, vocabulary)
  const names = [await directory.names(models, language), ...(language === 'en' ? [] : [await directory.names(models, 'en')])]
  const { handle } = asWritten.slots
  if (handle !== null) {
    const meant = await correctHandle(handle, names, models, language)
    return { ...asWritten, slots: { ...asWritten.slots, handle: meant }, textWithoutName: text }
  }
  const spotted = findName(text, names, language) ?? (asWritten.asksHow ? null : findMisspelledName(text, names, language))
  if (spotted === null || !isNameIntended(spotted, text, asWritten, language)) return { ...asWritten, textWithoutName: text }
  const reading = matchIntent(spotted.textWithoutName, language, vocabulary)
  return { ...reading, textWithoutName: spotted.textWithoutName, slots: withName(reading.slots, spotted) }
}

/** A handle that nobody has, with one slip in it, is the only one that is so near. */
async function correctHandle(
  handle: string,
  names: readonly KnownNames[],
  models: LiveContext['models'],
  language: Language,
): Promise<string> {
  if (names.some(({ handles }) => handles.has(handle.toLowerCase()))) return handle
  const near = new Set(
    names.flatMap(({ handles, spelling }) => spelling.oneTypoAway(handle.toLowerCase()).filter((word) => handles.has(word))),
  )
  const [only] = near
  if (only === undefined || near.size > 1 || (await models.separate().find(getCreatorProfile, { handle, locale: language })) !== null)
    return handle
  return only
}

/** Looked for only where nothing is named as it is written. */
function findMisspelledName(text: string, names: readonly KnownNames[], language: Language): FoundName | null {
  for (const { spelling } of names) {
    for (const spelled of correctedSpellings(text, spelling, language)) {
      const spotted = findName(spelled, names, language)
      // One word that is nearly a name may be a word.
      if (spotted !== null)
        return { ...spotted, isAmbiguous: spotted.isAmbiguous || (spotted.slug === null && !spotted.handle.includes('-')) }
    }
  }
  return null
}

/** "Most liked habit tracker" asks for a list, whatever somebody has called "Habit Tracker". */
function isNameIntended(
  { textWithoutName, isAmbiguous, slug }: FoundName,
  text: string,
  { slots }: ParsedText,
  language: LiveContext['language'],
): boolean {
  const cues = PATTERNS[language]
  const asksOfPeople =
    (slots.intent !== null && CREATOR_INTENTS.has(slots.intent)) || cues.who.test(text.toLowerCase()) || /['’]s\b/.test(text)
  if (isAmbiguous) return asksOfPeople
  if (slug === null || slots.name !== null) return true
  const before = textWithoutName.toLowerCase().split('◇')[0]?.trimEnd() ?? ''
  return !cues.sorts.some(([, pattern]) => new RegExp(`(?:${pattern.source})$`, 'u').test(before))
}

/** What can be asked of one creation beyond what it is. */
const CREATION_DETAILS: ReadonlySet<string> = new Set(['leaderboard', 'remixes'])

function withName(slots: Slots, { handle, slug }: FoundName): Slots {
  if (slug === null) return { ...slots, handle, name: null }
  return { ...EMPTY_SLOTS, handle, slug, intent: CREATION_DETAILS.has(slots.intent ?? '') ? slots.intent : 'creation' }
}
