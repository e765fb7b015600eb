import { CREATOR_INTENTS, type Slots } from './slots.js'

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
