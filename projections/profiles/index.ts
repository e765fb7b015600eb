/** Creators as their profile shows them, and who follows whom. */
import { edgeId, edgesOf, tombstone } from '../../readmodels/collection.js'
import { follows, type Profile, profiles } from '../../readmodels/profiles/documents.js'
import { type Docs, type FanOut, type Fold, livingState, projection, ref, stateIn, sweep } from '../../src/engine/definition/projection.js'
import { type EventName, type EventOf, handleKey } from '../../src/events/index.js'
import type { IndexQuery } from '../../src/ports/document-store.js'

const blankProfile = (id: string): Profile => ({
  _id: id,
  seq: 0,
  removed: false,
  registered: false,
  handle: null,
  handleKey: null,
  handleAt: 0,
  displayName: '',
  bio: '',
  avatarUrl: null,
  links: [],
  joinedAt: 0,
  followers: 0,
  following: 0,
})

const profileOf = (docs: Docs, id: string): Profile => livingState(docs, profiles, id, blankProfile)

const isRemoved = (docs: Docs, id: string): boolean => docs.get(profiles, id)?.removed === true

const registered: Fold<'creator.registered'> = {
  apply({ key, data, time, position }, docs) {
    const { handle, displayName, bio, avatarUrl, links } = data
    docs.put(profiles, {
      ...profileOf(docs, key),
      registered: true,
      handle,
      handleKey: handleKey(handle),
      handleAt: position,
      displayName,
      bio,
      avatarUrl,
      links,
      joinedAt: time,
    })
  },
}

const profileChanged: Fold<'creator.profile_changed'> = {
  apply({ key, data }, docs) {
    const profile = profileOf(docs, key)
    docs.put(profiles, {
      ...profile,
      displayName: data.displayName ?? profile.displayName,
      bio: data.bio ?? profile.bio,
      avatarUrl: data.avatarUrl === undefined ? profile.avatarUrl : data.avatarUrl,
      links: data.links ?? profile.links,
    })
  },
}

const handleChanged: Fold<'creator.handle_changed'> = {
  apply({ key, data, position }, docs) {
    const profile = profileOf(docs, key)
    if (!profile.registered) return
    docs.put(profiles, { ...profile, handle: data.handle, handleKey: handleKey(data.handle), handleAt: position })
  },
}

type FollowEvent = EventOf<'creator.followed'> | EventOf<'creator.unfollowed'>

const followRefs = ({ key, data }: FollowEvent) => [ref(profiles, data.followerId), ref(follows, edgeId(key, data.followerId))]

const followed: Fold<'creator.followed'> = {
  touches: followRefs,
  apply({ key, data: { followerId }, time }, docs) {
    const _id = edgeId(key, followerId)
    if (isRemoved(docs, followerId) || docs.get(follows, _id) !== undefined) return
    docs.put(follows, { _id, followedId: key, followerId, since: time })
    changeFollowCounts(docs, key, followerId, 1)
  },
}

const unfollowed: Fold<'creator.unfollowed'> = {
  touches: followRefs,
  apply({ key, data: { followerId } }, docs) {
    const _id = edgeId(key, followerId)
    if (docs.get(follows, _id) === undefined) return
    docs.delete(follows, _id)
    changeFollowCounts(docs, key, followerId, -1)
  },
}

function changeFollowCounts(docs: Docs, followedId: string, followerId: string, change: 1 | -1): void {
  changeCount(docs, followedId, 'followers', change)
  changeCount(docs, followerId, 'following', change)
}

function changeCount(docs: Docs, id: string, count: 'followers' | 'following', change: 1 | -1): void {
  if (isRemoved(docs, id)) return
  const profile = profileOf(docs, id)
  docs.put(profiles, { ...profile, [count]: profile[count] + change })
}

const removed: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(profiles, tombstone(key, sequence))
  },
  fanOut: [
    unfollowAll(({ key }) => edgesOf(key), 'followerId'),
    unfollowAll(({ key }) => ({ index: 'byFollower', equals: [key] }), 'followedId'),
  ],
}

/** Deletes the edges that the query finds, and counts one less on their `other` end. */
function unfollowAll<N extends EventName>(where: (event: EventOf<N>) => IndexQuery, other: 'followerId' | 'followedId'): FanOut<N> {
  return sweep(follows, {
    where,
    also: (_event, edge) => [ref(profiles, edge[other])],
    each(_event, { _id, followedId, followerId }, docs) {
      docs.delete(follows, _id)
      changeFollowCounts(docs, followedId, followerId, -1)
    },
  })
}

export const profilesProjection = projection({
  name: 'profiles',
  version: 1,
  collections: [profiles, follows],
  state: { creator: stateIn(profiles, blankProfile) },
  on: {
    'creator.registered': registered,
    'creator.profile_changed': profileChanged,
    'creator.handle_changed': handleChanged,
    'creator.followed': followed,
    'creator.unfollowed': unfollowed,
    'creator.removed': removed,
  },
})
