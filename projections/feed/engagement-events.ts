import { edgeId } from '../../readmodels/collection.js'
import { creators, type Item, items, likes } from '../../readmodels/feed/documents.js'
import { type Docs, type Fold, ref } from '../../src/engine/definition/projection.js'
import type { EventOf } from '../../src/events/index.js'
import { itemOf } from './creation-events.js'
import { copyOfItem } from './derived-fields.js'
import { addEngagementHeat, type Engagement, trendingKey } from './trending.js'
import { replaceItem } from './update-item.js'

type LikeEvent = EventOf<'creation.liked'> | EventOf<'creation.unliked'>
type EngagementEvent = LikeEvent | EventOf<'creation.played'> | EventOf<'creation.scored'>

const likeRefs = ({ key, data }: LikeEvent) => [ref(likes, edgeId(key, data.userId)), ref(creators, data.userId)]

/** Only counts change, never facets or terms, so the creator is all that is needed besides the creation. */
const creatorRef = (event: EngagementEvent, docs: Docs) => {
  const item = docs.get(items, event.key)
  return item === undefined || item.removed || item.creatorId === null ? [] : [ref(creators, item.creatorId)]
}

const liked: Fold<'creation.liked'> = {
  touches: likeRefs,
  also: creatorRef,
  apply(event, docs) {
    const { userId } = event.data
    if (docs.get(creators, userId)?.removed) return
    const _id = edgeId(event.key, userId)
    const like = docs.get(likes, _id)
    if (like?.active) return
    docs.put(likes, { _id, userId, active: true, firstAt: like?.firstAt ?? event.time })
    changeCounts(docs, event.key, (item) => {
      item.likes += 1
      if (like === undefined) addEngagement(item, 'like', event.time)
    })
  },
}

const unliked: Fold<'creation.unliked'> = {
  touches: likeRefs,
  also: creatorRef,
  apply(event, docs) {
    const like = docs.get(likes, edgeId(event.key, event.data.userId))
    if (!like?.active) return
    docs.put(likes, { ...like, active: false })
    changeCounts(docs, event.key, (item) => {
      item.likes -= 1
    })
  },
}

/** Changes a copy of the creation's document in place. */
function changeCounts(docs: Docs, key: string, change: (item: Item) => void): void {
  const item = itemOf(docs, key)
  const next = copyOfItem(item)
  change(next)
  replaceItem(docs, item, next)
}

/** With the sort key, so that `withIndexFields` need not copy the document once more for it. */
function addEngagement(item: Item, by: Engagement, time: number): void {
  item.heat = addEngagementHeat(item.heat, by, time)
  item.trending = trendingKey(item.heat)
}

/** Plays are anonymous totals: who played is not kept, so nothing has to be taken back when they are erased. */
const played: Fold<'creation.played'> = {
  also: creatorRef,
  apply({ key, time }, docs) {
    changeCounts(docs, key, (item) => {
      item.plays += 1
      addEngagement(item, 'play', time)
    })
  },
}

/** The score itself is the shares' business; here it only shows that the game is alive. */
const scored: Fold<'creation.scored'> = {
  also: creatorRef,
  apply({ key, time }, docs) {
    changeCounts(docs, key, (item) => addEngagement(item, 'score', time))
  },
}

export const engagementFolds = {
  'creation.liked': liked,
  'creation.unliked': unliked,
  'creation.played': played,
  'creation.scored': scored,
}
