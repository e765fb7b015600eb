import { edgesOf, tombstone } from '../../readmodels/collection.js'
import { creators, type FeedCreator, type FeedCreatorDoc, items, likes } from '../../readmodels/feed/documents.js'
import { type Docs, type FanOut, type Fold, livingState, nestedSweep, ref, sweep } from '../../src/engine/definition/projection.js'
import { type EventName, handleKey } from '../../src/events/index.js'
import { blankFeedCreator, creatorCard, itemWith, originalFields } from './derived-fields.js'
import { addHeat, weightOf } from './trending.js'
import { affectedRefs, removeItem, replaceItem } from './update-item.js'

type CreatorEvent = Extract<EventName, `creator.${string}`>

const creatorOf = (docs: Docs, id: string): FeedCreator => livingState(docs, creators, id, blankFeedCreator)

const hasCreations = (creator: FeedCreatorDoc | undefined): boolean => creator !== undefined && (creator.removed || creator.creations > 0)

/** Every creation carries its creator's card. */
function showOnCreations<N extends CreatorEvent>(): FanOut<N> {
  return sweep(items, {
    where: (event, docs) => (hasCreations(docs.get(creators, event.key)) ? { index: 'byCreator', equals: [event.key] } : null),
    also: (event, item, docs) => {
      if (item.removed) return []
      return affectedRefs(docs, item, itemWith(item, { creator: creatorCard(docs.get(creators, event.key)) }))
    },
    each(event, item, docs) {
      if (!item.removed) replaceItem(docs, item, itemWith(item, { creator: creatorCard(docs.get(creators, event.key)) }))
    },
  })
}

/** Every remix carries the address of its original, which begins with the handle of the original's creator. */
function showOnRemixesOfCreations<N extends CreatorEvent>(): FanOut<N> {
  return sweep(items, {
    where: (event, docs) => (hasCreations(docs.get(creators, event.key)) ? { index: 'byOriginalCreator', equals: [event.key] } : null),
    also: (_event, remix) => (remix.removed || remix.remixOf === null ? [] : [ref(items, remix.remixOf)]),
    each(_event, remix, docs) {
      if (remix.removed || remix.remixOf === null) return
      docs.put(items, itemWith(remix, originalFields(docs.get(items, remix.remixOf))))
    },
  })
}

const registered: Fold<'creator.registered'> = {
  apply({ key, data, position }, docs) {
    docs.put(creators, {
      ...creatorOf(docs, key),
      registered: true,
      handle: data.handle,
      handleKey: handleKey(data.handle),
      handleAt: position,
      displayName: data.displayName,
      avatarUrl: data.avatarUrl,
    })
  },
  fanOut: [showOnCreations(), showOnRemixesOfCreations()],
}

const profileChanged: Fold<'creator.profile_changed'> = {
  apply({ key, data }, docs) {
    const creator = creatorOf(docs, key)
    docs.put(creators, {
      ...creator,
      displayName: data.displayName ?? creator.displayName,
      avatarUrl: data.avatarUrl === undefined ? creator.avatarUrl : data.avatarUrl,
    })
  },
  fanOut: [showOnCreations()],
}

const handleChanged: Fold<'creator.handle_changed'> = {
  apply({ key, data, position }, docs) {
    const creator = creatorOf(docs, key)
    // An unregistered creator has no address.
    if (!creator.registered) return
    docs.put(creators, { ...creator, handle: data.handle, handleKey: handleKey(data.handle), handleAt: position })
  },
  fanOut: [showOnCreations(), showOnRemixesOfCreations()],
}

/** Erasure: everything the creator made or did, and every trace of it in what others made. */
const removed: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(creators, tombstone(key, sequence))
  },
  fanOut: [
    nestedSweep(items, likes, {
      through: (event) => ({ index: 'byCreator', equals: [event.key] }),
      where: (item) => edgesOf(item._id),
      each: (_event, like, docs) => docs.delete(likes, like._id),
    }),
    sweep(likes, {
      where: (event) => ({ index: 'byUser', equals: [event.key] }),
      also(_event, like, docs) {
        const id = likedCreation(like._id)
        const item = docs.get(items, id)
        const owner = item === undefined || item.removed || item.creatorId === null ? [] : [ref(creators, item.creatorId)]
        return [ref(items, id), ...owner]
      },
      each(_event, like, docs) {
        docs.delete(likes, like._id)
        const item = docs.get(items, likedCreation(like._id))
        if (item === undefined || item.removed) return
        const heat = addHeat(item.heat, -weightOf('like', like.firstAt))
        replaceItem(docs, item, itemWith(item, { heat, likes: item.likes - (like.active ? 1 : 0) }))
      },
    }),
    sweep(items, {
      where: (event) => ({ index: 'byCreator', equals: [event.key] }),
      also: (_event, item, docs) => (item.removed ? [] : affectedRefs(docs, item, itemWith(item, { published: false }))),
      each: (_event, item, docs) => {
        if (!item.removed) removeItem(docs, item)
      },
    }),
    showOnRemixesOfCreations(),
  ],
}

const likedCreation = (edge: string): string => edge.slice(0, edge.indexOf('~'))

export const creatorFolds = {
  'creator.registered': registered,
  'creator.profile_changed': profileChanged,
  'creator.handle_changed': handleChanged,
  'creator.removed': removed,
}
