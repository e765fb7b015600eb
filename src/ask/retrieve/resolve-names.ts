/** Reads the models to find creators and creations that a question names. */

import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import { type CreationAddress, normalizeName } from '../parse/find-names.js'
import type { ParsedQuestion } from '../parse/parse-question.js'
import { PATTERNS } from '../parse/patterns.js'
import { aboutCreation, CREATOR_INTENTS, type Slots } from '../parse/slots.js'
import { terms } from '../parse/terms.js'
import { isStopWord, isVague } from '../parse/word-lists.js'

/** Where names are looked up. */
interface Lookup {
  models: ReadSession
  questionLanguage: Language
}

/** Replaces a handle that does not exist by the similar one. */
export async function resolveHandle(parsed: ParsedQuestion, { models }: Lookup): Promise<ParsedQuestion> {
  const { slots, similarHandle } = parsed
  if (slots.handle === null || similarHandle === null) return parsed
  // A side read: it must not lower the position of the answer.
  if ((await models.separate().find(getCreatorProfile, { handle: slots.handle })) !== null) return parsed
  return { ...parsed, slots: { ...slots, handle: similarHandle } }
}

/** Adds the creator or the creation that a question names but the directory does not have; null if it names none that exists. */
export async function resolveNames(text: string, slots: Slots, context: Lookup): Promise<Slots | null> {
  if (slots.handle !== null) return null
  const patterns = PATTERNS[context.questionLanguage]
  const plain = text.replace(/[?？!。.]+$/u, '').trim()
  const who = patterns.who.exec(plain.toLowerCase())?.[1]?.trim()
  const person = who ? await findCreatorByName(who, context) : null
  if (person !== null) return { ...slots, handle: person, intent: 'creator' }
  const about = slots.name ?? patterns.about.exec(plain.toLowerCase())?.[1]
  const creation = about == null ? null : await findCreationByTitle(about, context)
  if (creation !== null) return aboutCreation(creation.handle, creation.slug, slots)
  if (slots.intent === null) {
    const spelled = await findHandleApart(plain, context)
    return spelled === null ? null : { ...slots, handle: spelled, intent: 'creator' }
  }
  if (!CREATOR_INTENTS.has(slots.intent)) return null
  const handle = await findCreatorByName(remainingName(plain, context), context)
  return handle === null ? null : { ...slots, handle }
}

/** By handle, with or without its hyphens. */
async function findCreatorByName(name: string, { models }: Lookup): Promise<string | null> {
  const wanted = normalizeName(name)
  if (wanted === '' || name.length > MAX_NAME_LENGTH) return null
  const written = name.toLowerCase().trim()
  if (HANDLE.test(written) && (await models.find(getCreatorProfile, { handle: written })) !== null) return written
  for (const handle of new Set([wanted.replaceAll(' ', '-'), wanted.replaceAll(' ', '')])) {
    const profile = HANDLE.test(handle) ? await models.find(getCreatorProfile, { handle }) : null
    if (profile !== null && normalizeName(profile.displayName) === wanted) return profile.handle
  }
  return null
}

/** A handle written as words, with nothing else: "aisha m" for "aisha-m". */
async function findHandleApart(text: string, { models }: Lookup): Promise<string | null> {
  const handle = normalizeName(text).replaceAll(' ', '-')
  if (!handle.includes('-') || text.length > MAX_NAME_LENGTH || !HANDLE.test(handle)) return null
  return (await models.separate().find(getCreatorProfile, { handle }))?.handle ?? null
}

const HANDLE = /^[a-z0-9][a-z0-9-]{1,62}$/
const MAX_NAME_LENGTH = 80
const MAX_CANDIDATES = 24

/** A creation by its title, or by title and creator: "Tide Clock by Ada". */
async function findCreationByTitle(about: string, { models, questionLanguage }: Lookup): Promise<CreationAddress | null> {
  const [, shorter, owner] = TITLE_BY_CREATOR.exec(about) ?? []
  for (const [title, by] of [[about, undefined] as const, [shorter, owner] as const]) {
    // Shorter ones, and those of small words alone, would match half the community.
    if (title === undefined || !terms(title, questionLanguage).some((term) => term.length > 1)) continue
    const q = title.slice(0, 200).toWellFormed()
    const { items } = await models.read(getCommunityFeed, { q, sort: 'liked', limit: MAX_CANDIDATES, locale: questionLanguage })
    const match = items.find(
      (item) => normalizeName(item.title) === normalizeName(title) && (by === undefined || isMadeBy(by, item.creator)),
    )
    if (match !== undefined) return { handle: match.creator.handle, slug: match.slug }
  }
  return null
}

const TITLE_BY_CREATOR = /^(.+) (?:by|from|von|de|por) @?(.+)$/iu

const isMadeBy = (name: string, creator: { handle: string; displayName: string }): boolean =>
  [normalizeName(creator.displayName), normalizeName(creator.handle)].includes(normalizeName(name))

/** The name in "how many people follow yui-kubo": what is left without the words of the question. */
function remainingName(text: string, { questionLanguage: language }: Lookup): string {
  const words = text.match(
    language === 'ja' ? /[a-z0-9-]{2,}|[\p{Script=Han}\p{Script=Katakana}ー]+/giu : /[\p{L}\p{N}-]+(?=['’]s\b)|[\p{L}\p{N}-]+/giu,
  )
  const asking = PATTERNS[language].notAName
  return (words ?? [])
    .filter((word) => word !== 's' && !isStopWord(language, word.toLowerCase()) && !isVague(language, word.toLowerCase()))
    .filter((word) => !asking.test(word.toLowerCase()))
    .join(' ')
}
