import { edgeId } from '../../readmodels/collection.js'
import { creators, type Item, items, type LikeDoc, likes } from '../../readmodels/feed/documents.js'
import { addEngagementHeat, addHeat, type Engagement, trendingKey, weightOf } from '../../readmodels/feed/trending.js'
import { type Docs, type Fold, ref } from '../../src/engine/definition/projection.js'
import type { EventOf } from '../../src/events/index.js'
import { isTaken, itemOf } from './creation-events.js'
import { copyOfItem } from './derived-fields.js'
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
  apply(event, docs, repeated) {
    const {
      key,
      data: { userId },
      time,
      sequence,
    } = event
    const like = likeOf(docs, key, userId)
    if (like === null || isTaken(itemOf(docs, key), event, repeated)) return
    const isFirst = like.firstSeq === 0 || sequence < like.firstSeq
    const isLast = sequence > like.seq
    if (!isFirst && !isLast) return
    docs.put(likes, {
      _id: like._id,
      userId,
      seq: isLast ? sequence : like.seq,
      active: isLast || like.active,
      firstSeq: isFirst ? sequence : like.firstSeq,
      firstAt: isFirst ? time : like.firstAt,
    })
    changeCounts(docs, key, (item) => {
      if (isLast && !like.active) item.likes += 1
      if (!isFirst) return
      // The first like known so far was not the first.
      if (like.firstSeq !== 0) item.heat = addHeat(item.heat, -weightOf('like', like.firstAt))
      addEngagement(item, 'like', time)
    })
  },
}

const unliked: Fold<'creation.unliked'> = {
  touches: likeRefs,
  also: creatorRef,
  apply(event, docs, repeated) {
    const {
      key,
      data: { userId },
      sequence,
    } = event
    const like = likeOf(docs, key, userId)
    if (like === null || sequence <= like.seq || isTaken(itemOf(docs, key), event, repeated)) return
    // Stored also where there is no like yet: a like with a lower sequence may come late.
    docs.put(likes, { ...like, seq: sequence, active: false })
    if (!like.active) return
    changeCounts(docs, key, (item) => {
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

/** The like of one person; null if the person was erased. */
function likeOf(docs: Docs, creationId: string, userId: string): LikeDoc | null {
  if (docs.get(creators, userId)?.removed) return null
  const _id = edgeId(creationId, userId)
  return docs.get(likes, _id) ?? { _id, userId, seq: 0, active: false, firstSeq: 0, firstAt: 0 }
}

/** With the sort key, so that `withIndexFields` need not copy the document once more for it. */
function addEngagement(item: Item, by: Engagement, time: number): void {
  item.heat = addEngagementHeat(item.heat, by, time)
  item.trending = trendingKey(item.heat)
}

/** Plays are anonymous totals: who played is not kept, so nothing has to be taken back when they are erased. */
const played: Fold<'creation.played'> = {
  also: creatorRef,
  apply({ key, time }, docs, repeated) {
    if (repeated) return
    changeCounts(docs, key, (item) => {
      item.plays += 1
      addEngagement(item, 'play', time)
    })
  },
}

/** The score itself is the shares' business; here it only shows that the game is alive. */
const scored: Fold<'creation.scored'> = {
  also: creatorRef,
  apply({ key, time }, docs, repeated) {
    if (!repeated) changeCounts(docs, key, (item) => addEngagement(item, 'score', time))
  },
}

export const engagementFolds = {
  'creation.liked': liked,
  'creation.unliked': unliked,
  'creation.played': played,
  'creation.scored': scored,
}
