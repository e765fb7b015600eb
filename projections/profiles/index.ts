/** Creators as their profile shows them, and who follows whom. */
import { edgeId, edgesOf, tombstone } from '../../readmodels/collection.js'
import { follows, type Profile, profiles } from '../../readmodels/profiles/documents.js'
import { type Docs, type Fold, projection, ref, stateIn, sweep } from '../../src/engine/definition/projection.js'
import { type EventOf, handleKey } from '../../src/events/index.js'

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

const profileOf = (docs: Docs, id: string): Profile => {
  const doc = docs.get(profiles, id)
  return doc === undefined || doc.removed ? blankProfile(id) : doc
}

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
  if (!isRemoved(docs, followedId)) {
    const profile = profileOf(docs, followedId)
    docs.put(profiles, { ...profile, followers: profile.followers + change })
  }
  if (!isRemoved(docs, followerId)) {
    const profile = profileOf(docs, followerId)
    docs.put(profiles, { ...profile, following: profile.following + change })
  }
}

const removed: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(profiles, tombstone(key, sequence))
  },
  fanOut: [
    sweep(follows, {
      where: (event) => edgesOf(event.key),
      also: (_event, edge) => [ref(profiles, edge.followerId)],
      each: (_event, edge, docs) => unlink(docs, edge._id, edge.followedId, edge.followerId),
    }),
    sweep(follows, {
      where: (event) => ({ index: 'byFollower', equals: [event.key] }),
      also: (_event, edge) => [ref(profiles, edge.followedId)],
      each: (_event, edge, docs) => unlink(docs, edge._id, edge.followedId, edge.followerId),
    }),
  ],
}

function unlink(docs: Docs, id: string, followedId: string, followerId: string): void {
  docs.delete(follows, id)
  changeFollowCounts(docs, followedId, followerId, -1)
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
