import type { Sort } from '../../../readmodels/feed/documents.js'
import type { Kind } from '../../events/index.js'

/** What a live question can be about. */
export type Intent =
  | 'list'
  | 'count'
  | 'creator'
  | 'made'
  | 'followers'
  | 'following'
  | 'creation'
  | 'leaderboard'
  | 'remixes'
  | 'tags'
  | 'categories'

/** What is asked of a person, not of a thing. */
export const CREATOR_INTENTS: ReadonlySet<Intent> = new Set<Intent>(['made', 'followers', 'following'])

/** A live question, taken apart. Null is what was not said. */
export interface Slots {
  intent: Intent | null
  handle: string | null
  slug: string | null
  /** A creation called by its title, or a creator by name. */
  name: string | null
  sort: Sort | null
  kind: Kind | null
  category: string | null
  tag: string | null
  featured: boolean
  /** Only what was made from something else. */
  remixed: boolean
  /** Words to search for. */
  q: string | null
  limit: number | null
}

export const EMPTY_SLOTS: Slots = {
  intent: null,
  handle: null,
  slug: null,
  name: null,
  sort: null,
  kind: null,
  category: null,
  tag: null,
  featured: false,
  remixed: false,
  q: null,
  limit: null,
}

/** "And in music?" keeps what the question before said, except where it says something else. */
export function mergeFollowUp(before: Slots, now: Slots): Slots {
  const someoneElse = now.handle !== null || now.name !== null
  const elsewhere = now.category !== null || now.tag !== null || now.q !== null
  return {
    intent: now.intent ?? before.intent,
    handle: someoneElse ? now.handle : before.handle,
    // "What else has she made?" after a creation asks for the one who made it.
    slug: someoneElse ? now.slug : now.intent !== null && CREATOR_INTENTS.has(now.intent) ? null : before.slug,
    name: someoneElse ? now.name : before.name,
    sort: now.sort ?? before.sort,
    kind: now.kind ?? before.kind,
    category: elsewhere ? now.category : before.category,
    tag: elsewhere ? now.tag : before.tag,
    featured: now.featured || before.featured,
    remixed: now.remixed || before.remixed,
    q: elsewhere ? now.q : before.q,
    limit: now.limit ?? before.limit,
  }
}
