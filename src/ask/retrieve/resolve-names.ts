/** Creators and creations that a question calls by name, beyond those in the directory. */

import type { Telling } from '../answer/live-answer.js'
import { fold } from '../parse/fold.js'
import { CUES } from '../parse/index.js'
import { NOTHING, PERSONAL, type Slots } from '../parse/slots.js'
import { isVague } from '../parse/vague.js'
import { isCommon } from '../parse/word-lists.js'

/** The question with the creator or the creation it names; null when it names none that exists. */
export async function named(text: string, slots: Slots, telling: Telling): Promise<Slots | null> {
  if (slots.handle !== null) return null
  const cues = CUES[telling.language]
  const plain = text.replace(/[?？!。.]+$/u, '').trim()
  const who = cues.who.exec(plain.toLowerCase())?.[1]?.trim()
  const person = who ? await creatorCalled(who, telling) : null
  if (person !== null) return { ...slots, handle: person, topic: 'creator' }
  const about = slots.name ?? cues.about.exec(plain.toLowerCase())?.[1]
  const creation = about == null ? null : await creationCalled(about, telling)
  if (creation !== null) return { ...NOTHING, ...creation, topic: ABOUT_ONE.has(slots.topic ?? '') ? slots.topic : 'creation' }
  if (slots.topic === null || !PERSONAL.has(slots.topic)) return null
  const handle = await creatorCalled(nameIn(plain, telling), telling)
  return handle === null ? null : { ...slots, handle }
}

/** What can be asked of one creation beyond what it is. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['leaderboard', 'remixes'])

/** By handle, with or without its hyphens. */
async function creatorCalled(name: string, { models, language }: Telling): Promise<string | null> {
  const wanted = fold(name)
  if (wanted === '' || name.length > LONGEST) return null
  const written = name.toLowerCase().trim()
  if (HANDLE.test(written) && (await models.profile(written, language)) !== null) return written
  for (const handle of new Set([wanted.replaceAll(' ', '-'), wanted.replaceAll(' ', '')])) {
    const profile = HANDLE.test(handle) ? await models.profile(handle, language) : null
    if (profile !== null && fold(profile.displayName) === wanted) return profile.handle
  }
  return null
}

const HANDLE = /^[a-z0-9][a-z0-9-]{1,62}$/
const LONGEST = 80
const SEEN = 24

/** A creation by its title, or by title and creator: "Tide Clock by Ada". */
async function creationCalled(about: string, { models, language }: Telling): Promise<Pick<Slots, 'handle' | 'slug'> | null> {
  const [, shorter, owner] = BY.exec(about) ?? []
  for (const [title, by] of [[about, undefined] as const, [shorter, owner] as const]) {
    // One word finds half the community, and whoever means a title of one word puts it in quotes.
    if (title === undefined || fold(title).length < 3) continue
    const { items } = await models.feed({ locale: language, q: title.slice(0, 200).toWellFormed(), sort: 'liked', limit: SEEN })
    const match = items.find((item) => fold(item.title) === fold(title) && (by === undefined || isBy(by, item.creator)))
    if (match !== undefined) return { handle: match.creator.handle, slug: match.slug }
  }
  return null
}

const BY = /^(.+) (?:by|from|von|de|por) @?(.+)$/iu

const isBy = (name: string, creator: { handle: string; displayName: string }): boolean =>
  [fold(creator.displayName), fold(creator.handle)].includes(fold(name))

/** What is left of "how many people follow yui-kubo" when every word of the asking is taken away. */
function nameIn(text: string, { language }: Telling): string {
  const words = text.match(
    language === 'ja' ? /[a-z0-9-]{2,}|[\p{Script=Han}\p{Script=Katakana}ー]+/giu : /[\p{L}\p{N}-]+(?=['’]s\b)|[\p{L}\p{N}-]+/giu,
  )
  const asking = CUES[language].asking
  return (words ?? [])
    .filter((word) => word !== 's' && !isCommon(language, word.toLowerCase()) && !isVague(language, word.toLowerCase()))
    .filter((word) => !asking.test(word.toLowerCase()))
    .join(' ')
}
