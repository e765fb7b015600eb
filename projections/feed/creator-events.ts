import { edgesOf, tombstone } from '../../readmodels/collection.js'
import { creators, type FeedCreator, type FeedCreatorDoc, items, likes } from '../../readmodels/feed/documents.js'
import { addHeat, weightOf } from '../../readmodels/feed/trending.js'
import { type Docs, type FanOut, type Fold, livingState, nestedSweep, ref, sweep } from '../../src/engine/definition/projection.js'
import { type EventName, handleKey } from '../../src/events/index.js'
import { claimPosition, setAllFields, setFields } from '../../src/lib/field-versions.js'
import { blankFeedCreator, creatorCard, itemWith, originalFields } from './derived-fields.js'
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

/** Hidden until registered: before that there is no card and no address. */
function withHandleKey(creator: FeedCreator): FeedCreator {
  return { ...creator, handleKey: creator.registered && creator.handle !== null ? handleKey(creator.handle) : null }
}

const registered: Fold<'creator.registered'> = {
  apply(event, docs) {
    const { key, data, position, sequence } = event
    const creator = creatorOf(docs, key)
    const handleAt = claimPosition(creator.setAt, 'handleAt', creator.handleAt, event)
    const fields = { handle: data.handle, handleAt: position, displayName: data.displayName, avatarUrl: data.avatarUrl }
    const changes = setAllFields(creator.setAt, sequence, fields)
    docs.put(creators, withHandleKey({ ...creator, handleAt, ...changes, registered: true }))
  },
  fanOut: [showOnCreations(), showOnRemixesOfCreations()],
}

const profileChanged: Fold<'creator.profile_changed'> = {
  apply({ key, data, sequence }, docs) {
    const creator = creatorOf(docs, key)
    const fields = { displayName: data.displayName, avatarUrl: data.avatarUrl }
    docs.put(creators, { ...creator, ...setFields(creator.setAt, sequence, fields) })
  },
  fanOut: [showOnCreations()],
}

const handleChanged: Fold<'creator.handle_changed'> = {
  apply(event, docs) {
    const { key, data, position, sequence } = event
    const creator = creatorOf(docs, key)
    const handleAt = claimPosition(creator.setAt, 'handleAt', creator.handleAt, event)
    const changes = setFields(creator.setAt, sequence, { handle: data.handle, handleAt: position })
    docs.put(creators, withHandleKey({ ...creator, handleAt, ...changes }))
  },
  fanOut: [showOnCreations(), showOnRemixesOfCreations()],
}

/** Erasure: everything the creator made or did, and every trace of it in what others made. */
const removed: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(creators, tombstone(key, sequence))
  },
  fanOut: [
    deleteLikesOf('byCreator'),
    deleteLikesOf('byOtherCreator'),
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
        const heat = like.firstSeq === 0 ? item.heat : addHeat(item.heat, -weightOf('like', like.firstAt))
        replaceItem(docs, item, itemWith(item, { heat, likes: item.likes - (like.active ? 1 : 0) }))
      },
    }),
    // What names them without being theirs is not found by the sweep of remixes below.
    nestedSweep(items, items, {
      through: (event) => ({ index: 'byOtherCreator', equals: [event.key] }),
      where: (item) => ({ index: 'byRemixOf', equals: [item._id] }),
      each: (_event, remix, docs) => {
        if (!remix.removed) docs.put(items, itemWith(remix, { original: null, originalCreatorId: null }))
      },
    }),
    removeItemsOf('byCreator'),
    removeItemsOf('byOtherCreator'),
    showOnRemixesOfCreations(),
  ],
}

type CreatorIndex = 'byCreator' | 'byOtherCreator'

function deleteLikesOf(index: CreatorIndex): FanOut<'creator.removed'> {
  return nestedSweep(items, likes, {
    through: (event) => ({ index, equals: [event.key] }),
    where: (item) => edgesOf(item._id),
    each: (_event, like, docs) => docs.delete(likes, like._id),
  })
}

function removeItemsOf(index: CreatorIndex): FanOut<'creator.removed'> {
  return sweep(items, {
    where: (event) => ({ index, equals: [event.key] }),
    also: (_event, item, docs) => (item.removed ? [] : affectedRefs(docs, item, itemWith(item, { published: false }))),
    each: (_event, item, docs) => {
      if (!item.removed) removeItem(docs, item)
    },
  })
}

const likedCreation = (edge: string): string => edge.slice(0, edge.indexOf('~'))

export const creatorFolds = {
  'creator.registered': registered,
  'creator.profile_changed': profileChanged,
  'creator.handle_changed': handleChanged,
  'creator.removed': removed,
}
