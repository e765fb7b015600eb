import { tombstone } from '../../readmodels/collection.js'
import { counters, creators, type FeedCreator, type Item, items, terms } from '../../readmodels/feed/documents.js'
import { addEngagementHeat, addHeat, weightOf } from '../../readmodels/feed/trending.js'
import { type Docs, type Ref, ref } from '../../src/engine/definition/projection.js'
import { blankFeedCreator, blankItem, isPublic, itemWith, sameTerms, searchTerms, withIndexFields } from './derived-fields.js'

/**
 * Every change of a creation's document goes through here, and updates what depends on it: the counters of its facets,
 * its search terms, its creator's totals, and its original's count of remixes.
 */
export function replaceItem(docs: Docs, before: Item, next: Item): void {
  const after = withIndexFields(next, before)
  docs.put(items, after)
  if (before.facets !== after.facets) updateCounters(docs, before.facets, after.facets)
  addTotals(docs, before, after)
  if (isPublic(before) !== isPublic(after))
    changeOriginal(docs, after, (original) => itemWith(original, { remixes: original.remixes + (isPublic(after) ? 1 : -1) }))
  updateSearchTerms(docs, before, after)
}

/** Counts a creation for its creator and its original, as its first publication says. */
export function attachItem(docs: Docs, item: Item): void {
  changeCreator(docs, item.creatorId, (creator) => ({ ...creator, creations: creator.creations + 1 }))
  changeOriginal(docs, item, (original) =>
    itemWith(original, {
      derivatives: original.derivatives + 1,
      heat: addEngagementHeat(original.heat, 'remix', item.publishedAt),
    }),
  )
}

/** Takes back all that a creation counts for. Returns it hidden, of no creator. */
export function detachItem(docs: Docs, item: Item): Item {
  const hidden = withIndexFields(itemWith(item, { published: false }), item)
  if (item.facets !== hidden.facets) updateCounters(docs, item.facets, hidden.facets)
  addTotals(docs, item, hidden)
  if (item.creatorId !== null) {
    changeCreator(docs, item.creatorId, (creator) => ({ ...creator, creations: creator.creations - 1 }))
    changeOriginal(docs, item, (original) =>
      itemWith(original, {
        derivatives: original.derivatives - 1,
        remixes: original.remixes - (isPublic(item) ? 1 : 0),
        heat: addHeat(original.heat, -weightOf('remix', item.publishedAt)),
      }),
    )
  }
  if (isPublic(item)) docs.delete(terms, item._id)
  return itemWith(hidden, { creatorId: null, creator: null, remixOf: null })
}

/** Removes a creation for good. Its likes and its remixes' cards are left to sweeps. */
export function removeItem(docs: Docs, item: Item): void {
  detachItem(docs, item)
  docs.put(items, tombstone(item._id, item.seq))
}

/** The documents that `replaceItem`, `detachItem` and `removeItem` may change. */
export function affectedRefs(docs: Docs, before: Item, after: Item): Ref[] {
  const refs: Ref[] = [ref(items, after._id), ref(terms, after._id)]
  for (const facet of new Set([...before.facets, ...withIndexFields(after, before).facets])) refs.push(ref(counters, facet))
  const sameOrigin = before.creatorId === after.creatorId && before.remixOf === after.remixOf
  for (const { creatorId, remixOf } of sameOrigin ? [after] : [before, after]) {
    if (creatorId !== null) refs.push(ref(creators, creatorId))
    if (remixOf === null) continue
    refs.push(ref(items, remixOf))
    const original = docs.get(items, remixOf)
    if (original !== undefined && !original.removed && original.creatorId !== null) refs.push(ref(creators, original.creatorId))
  }
  return refs
}

/** Changes the original of a remix, unless it is gone. One that is only known from its remixes goes with the last of them. */
export function changeOriginal(docs: Docs, remix: Item, change: (original: Item) => Item): void {
  if (remix.remixOf === null) return
  const original = docs.get(items, remix.remixOf) ?? blankItem(remix.remixOf)
  if (original.removed) return
  const next = withIndexFields(change(original), original)
  if (next.seq === 0 && next.derivatives === 0) docs.delete(items, next._id)
  else docs.put(items, next)
  addTotals(docs, original, next)
}

/** Changes a creator, unless they are gone. One that is only known from their creations goes with the last of them. */
export function changeCreator(docs: Docs, creatorId: string | null, change: (creator: FeedCreator) => FeedCreator): void {
  if (creatorId === null) return
  const creator = docs.get(creators, creatorId) ?? blankFeedCreator(creatorId)
  if (creator.removed) return
  const next = change(creator)
  if (next.seq === 0 && next.creations === 0) docs.delete(creators, creatorId)
  else docs.put(creators, next)
}

/** A creator's totals count what is public now. */
function addTotals(docs: Docs, before: Item, after: Item): void {
  const old = publicTotals(before)
  const now = publicTotals(after)
  if (old.apps === now.apps && old.likes === now.likes && old.plays === now.plays && old.remixes === now.remixes) return
  changeCreator(docs, after.creatorId, (creator) => ({
    ...creator,
    apps: creator.apps + now.apps - old.apps,
    likes: creator.likes + now.likes - old.likes,
    plays: creator.plays + now.plays - old.plays,
    remixes: creator.remixes + now.remixes - old.remixes,
  }))
}

const NO_TOTALS = { apps: 0, likes: 0, plays: 0, remixes: 0 }

const publicTotals = (item: Item) => (isPublic(item) ? { apps: 1, likes: item.likes, plays: item.plays, remixes: item.remixes } : NO_TOTALS)

function updateCounters(docs: Docs, before: readonly string[], after: readonly string[]): void {
  const left = new Set(before)
  for (const facet of after) if (!left.delete(facet)) addToCounter(docs, facet, 1)
  for (const facet of left) addToCounter(docs, facet, -1)
}

function addToCounter(docs: Docs, facet: string, change: number): void {
  const next = (docs.get(counters, facet)?.count ?? 0) + change
  if (next === 0) docs.delete(counters, facet)
  else docs.put(counters, { _id: facet, count: next })
}

function updateSearchTerms(docs: Docs, before: Item, after: Item): void {
  if (isPublic(after)) {
    if (!isPublic(before) || !sameTerms(before, after)) docs.put(terms, { _id: after._id, terms: searchTerms(after) })
  } else if (isPublic(before)) docs.delete(terms, after._id)
}
