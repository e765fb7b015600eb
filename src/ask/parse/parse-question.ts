import type { Telling } from '../answer/live-answer.js'
import type { Language } from '../languages.js'
import type { Directory, Names } from '../retrieve/name-directory.js'
import { type Spotted, spot } from './find-names.js'
import { CUES } from './index.js'
import { type Reading, readQuestion } from './intent.js'
import { NOTHING, PERSONAL, type Slots } from './slots.js'
import { spellings } from './spelling.js'
import type { Vocabulary } from './vocabulary.js'

export interface Understood extends Reading {
  /** The question with the name in it taken out. */
  rest: string
}

/** Takes a question apart, names of creators and creations first: they may contain any word, which then means nothing else. */
export async function understood(
  text: string,
  { models, language }: Telling,
  vocabulary: Vocabulary,
  directory: Directory,
): Promise<Understood> {
  const asWritten = readQuestion(text, language, vocabulary)
  const names = [await directory.names(models, language), ...(language === 'en' ? [] : [await directory.names(models, 'en')])]
  const { handle } = asWritten.slots
  if (handle !== null) {
    const meant = await handleMeant(handle, names, models, language)
    return { ...asWritten, slots: { ...asWritten.slots, handle: meant }, rest: text }
  }
  const spotted = spot(text, names, language) ?? (asWritten.explains ? null : misspelled(text, names, language))
  if (spotted === null || !isMeant(spotted, text, asWritten, language)) return { ...asWritten, rest: text }
  const reading = readQuestion(spotted.rest, language, vocabulary)
  return { ...reading, rest: spotted.rest, slots: withName(reading.slots, spotted) }
}

/** A handle that nobody has, with one slip in it, is the only one that is so near. */
async function handleMeant(handle: string, names: readonly Names[], models: Telling['models'], language: Language): Promise<string> {
  if (names.some(({ handles }) => handles.has(handle.toLowerCase()))) return handle
  const near = new Set(names.flatMap(({ handles, spelling }) => spelling.near(handle.toLowerCase()).filter((word) => handles.has(word))))
  const [only] = near
  if (only === undefined || near.size > 1 || (await models.another().profile(handle, language)) !== null) return handle
  return only
}

/** Looked for only where nothing is named as it is written. */
function misspelled(text: string, names: readonly Names[], language: Language): Spotted | null {
  for (const { spelling } of names) {
    for (const spelled of spellings(text, spelling, language)) {
      const spotted = spot(spelled, names, language)
      // One word that is nearly a name may be a word.
      if (spotted !== null) return { ...spotted, doubtful: spotted.doubtful || (spotted.slug === null && !spotted.handle.includes('-')) }
    }
  }
  return null
}

/** "Most liked habit tracker" asks for a list, whatever somebody has called "Habit Tracker". */
function isMeant({ rest, doubtful, slug }: Spotted, text: string, { slots }: Reading, language: Telling['language']): boolean {
  const cues = CUES[language]
  const asksOfPeople = (slots.topic !== null && PERSONAL.has(slots.topic)) || cues.who.test(text.toLowerCase()) || /['’]s\b/.test(text)
  if (doubtful) return asksOfPeople
  if (slug === null || slots.name !== null) return true
  const before = rest.toLowerCase().split('◇')[0]?.trimEnd() ?? ''
  return !cues.sorts.some(([, pattern]) => new RegExp(`(?:${pattern.source})$`, 'u').test(before))
}

/** What can be asked of one creation beyond what it is. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['leaderboard', 'remixes'])

function withName(slots: Slots, { handle, slug }: Spotted): Slots {
  if (slug === null) return { ...slots, handle, name: null }
  return { ...NOTHING, handle, slug, topic: ABOUT_ONE.has(slots.topic ?? '') ? slots.topic : 'creation' }
}
