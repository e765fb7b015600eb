/** Creators and creations that a question calls by name, beyond those in the directory. */

import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import type { LiveContext } from '../answer/live-answer.js'
import { normalizeName } from '../parse/find-names.js'
import { PATTERNS } from '../parse/patterns.js'
import { CREATOR_INTENTS, EMPTY_SLOTS, type Slots } from '../parse/slots.js'
import { isStopWord, isVague } from '../parse/word-lists.js'

/** The question with the creator or the creation it names; null when it names none that exists. */
export async function resolveNames(text: string, slots: Slots, telling: LiveContext): Promise<Slots | null> {
  if (slots.handle !== null) return null
  const cues = PATTERNS[telling.language]
  const plain = text.replace(/[?？!。.]+$/u, '').trim()
  const who = cues.who.exec(plain.toLowerCase())?.[1]?.trim()
  const person = who ? await findCreatorByName(who, telling) : null
  if (person !== null) return { ...slots, handle: person, intent: 'creator' }
  const about = slots.name ?? cues.about.exec(plain.toLowerCase())?.[1]
  const creation = about == null ? null : await findCreationByTitle(about, telling)
  if (creation !== null)
    return { ...EMPTY_SLOTS, ...creation, intent: CREATION_DETAILS.has(slots.intent ?? '') ? slots.intent : 'creation' }
  if (slots.intent === null || !CREATOR_INTENTS.has(slots.intent)) return null
  const handle = await findCreatorByName(remainingName(plain, telling), telling)
  return handle === null ? null : { ...slots, handle }
}

/** What can be asked of one creation beyond what it is. */
const CREATION_DETAILS: ReadonlySet<string> = new Set(['leaderboard', 'remixes'])

/** By handle, with or without its hyphens. */
async function findCreatorByName(name: string, { models, language }: LiveContext): Promise<string | null> {
  const wanted = normalizeName(name)
  if (wanted === '' || name.length > MAX_NAME_LENGTH) return null
  const written = name.toLowerCase().trim()
  if (HANDLE.test(written) && (await models.find(getCreatorProfile, { handle: written, locale: language })) !== null) return written
  for (const handle of new Set([wanted.replaceAll(' ', '-'), wanted.replaceAll(' ', '')])) {
    const profile = HANDLE.test(handle) ? await models.find(getCreatorProfile, { handle, locale: language }) : null
    if (profile !== null && normalizeName(profile.displayName) === wanted) return profile.handle
  }
  return null
}

const HANDLE = /^[a-z0-9][a-z0-9-]{1,62}$/
const MAX_NAME_LENGTH = 80
const MAX_CANDIDATES = 24

/** A creation by its title, or by title and creator: "Tide Clock by Ada". */
async function findCreationByTitle(about: string, { models, language }: LiveContext): Promise<Pick<Slots, 'handle' | 'slug'> | null> {
  const [, shorter, owner] = TITLE_BY_CREATOR.exec(about) ?? []
  for (const [title, by] of [[about, undefined] as const, [shorter, owner] as const]) {
    // One word finds half the community, and whoever means a title of one word puts it in quotes.
    if (title === undefined || normalizeName(title).length < 3) continue
    const { items } = await models.read(getCommunityFeed, {
      locale: language,
      q: title.slice(0, 200).toWellFormed(),
      sort: 'liked',
      limit: MAX_CANDIDATES,
    })
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

/** What is left of "how many people follow yui-kubo" when every word of the asking is taken away. */
function remainingName(text: string, { language }: LiveContext): string {
  const words = text.match(
    language === 'ja' ? /[a-z0-9-]{2,}|[\p{Script=Han}\p{Script=Katakana}ー]+/giu : /[\p{L}\p{N}-]+(?=['’]s\b)|[\p{L}\p{N}-]+/giu,
  )
  const asking = PATTERNS[language].notAName
  return (words ?? [])
    .filter((word) => word !== 's' && !isStopWord(language, word.toLowerCase()) && !isVague(language, word.toLowerCase()))
    .filter((word) => !asking.test(word.toLowerCase()))
    .join(' ')
}
