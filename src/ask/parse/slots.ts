import type { Sort } from '../../../readmodels/feed/documents.js'
import type { Kind } from '../../events/index.js'

/** What a live question can be about. */
export type Intent =
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

/** Intents that need a creator. */
export const CREATOR_INTENTS: ReadonlySet<Intent> = new Set<Intent>(['made', 'followers', 'following'])

/** What a live question says. Null: it does not say. */
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
  limit: null,
}

/** "Trending in games" means the category: the kind would narrow it twice. */
export const kindWithin = (category: string | null, kind: Kind | null): Kind | null =>
  kind === 'game' && category === 'games' ? null : kind

/** What can be asked of one creation beyond what it is. */
const CREATION_DETAILS: ReadonlySet<Intent> = new Set<Intent>(['leaderboard', 'remixes'])

/** The question about one creation, once it is found. */
export const aboutCreation = (handle: string, slug: string, { intent }: Slots): Slots => ({
  ...EMPTY_SLOTS,
  handle,
  slug,
  intent: intent !== null && CREATION_DETAILS.has(intent) ? intent : 'creation',
})

/** "And in music?" keeps what the question before said, except where it says something else. */
export function mergeFollowUp(before: Slots, now: Slots): Slots {
  const someoneElse = now.handle !== null || now.name !== null
  const elsewhere = now.category !== null || now.tag !== null
  return {
    intent: now.intent ?? before.intent,
    handle: someoneElse ? now.handle : before.handle,
    // "What else has she made?" after a question about a creation is about its creator.
    slug: someoneElse ? now.slug : now.intent !== null && CREATOR_INTENTS.has(now.intent) ? null : before.slug,
    name: someoneElse ? now.name : before.name,
    sort: now.sort ?? before.sort,
    kind: now.kind ?? before.kind,
    category: elsewhere ? now.category : before.category,
    tag: elsewhere ? now.tag : before.tag,
    featured: now.featured || before.featured,
    remixed: now.remixed || before.remixed,
    limit: now.limit ?? before.limit,
  }
}
