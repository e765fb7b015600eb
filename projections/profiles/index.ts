/** Creators as their profile shows them, and who follows whom. */
import { edgeId, edgesOf, tombstone } from '../../readmodels/collection.js'
import { type FollowDoc, follows, type Profile, profiles } from '../../readmodels/profiles/documents.js'
import { type Docs, type Fold, livingState, projection, ref, stateIn, sweep } from '../../src/engine/definition/projection.js'
import { type EventOf, handleKey } from '../../src/events/index.js'
import { claimPosition, setAllFields, setFields } from '../../src/lib/field-versions.js'

const blankProfile = (id: string): Profile => ({
  _id: id,
  seq: 0,
  removed: false,
  setAt: { all: 0 },
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

/** Without an address until registered. */
function withHandleKey(profile: Profile): Profile {
  return { ...profile, handleKey: profile.registered && profile.handle !== null ? handleKey(profile.handle) : null }
}

const registered: Fold<'creator.registered'> = {
  apply(event, docs) {
    const { creatorId, ...fields } = event.data
    const profile = profileOf(docs, creatorId)
    const handleAt = claimPosition(profile.setAt, 'handleAt', profile.handleAt, event)
    const changes = setAllFields(profile.setAt, event.sequence, { ...fields, handleAt: event.position, joinedAt: event.time })
    docs.put(profiles, withHandleKey({ ...profile, handleAt, ...changes, registered: true }))
  },
}

const profileChanged: Fold<'creator.profile_changed'> = {
  apply({ key, data: { creatorId: _, ...fields }, sequence }, docs) {
    const profile = profileOf(docs, key)
    docs.put(profiles, { ...profile, ...setFields(profile.setAt, sequence, fields) })
  },
}

const handleChanged: Fold<'creator.handle_changed'> = {
  apply(event, docs) {
    const profile = profileOf(docs, event.key)
    const handleAt = claimPosition(profile.setAt, 'handleAt', profile.handleAt, event)
    const changes = setFields(profile.setAt, event.sequence, { handle: event.data.handle, handleAt: event.position })
    docs.put(profiles, withHandleKey({ ...profile, handleAt, ...changes }))
  },
}

type FollowEvent = EventOf<'creator.followed'> | EventOf<'creator.unfollowed'>

const followRefs = ({ key, data }: FollowEvent) => [ref(profiles, data.followerId), ref(follows, edgeId(key, data.followerId))]

/** The event with the highest sequence decides. An unfollow is stored too: a follow with a lower sequence may come late. */
function setFollow({ key, data: { followerId }, sequence }: FollowEvent, since: number | null, docs: Docs): void {
  const _id = edgeId(key, followerId)
  const edge = docs.get(follows, _id)
  if (isRemoved(docs, followerId) || sequence <= (edge?.seq ?? 0)) return
  docs.put(follows, { _id, followedId: key, followerId, seq: sequence, since })
  changeFollowCounts(docs, key, followerId, (since === null ? 0 : 1) - (isActive(edge) ? 1 : 0))
}

const isActive = (edge: FollowDoc | undefined): boolean => edge !== undefined && edge.since !== null

const followed: Fold<'creator.followed'> = { touches: followRefs, apply: (event, docs) => setFollow(event, event.time, docs) }

const unfollowed: Fold<'creator.unfollowed'> = { touches: followRefs, apply: (event, docs) => setFollow(event, null, docs) }

function changeFollowCounts(docs: Docs, followedId: string, followerId: string, change: number): void {
  if (change === 0) return
  changeProfile(docs, followedId, (profile) => ({ ...profile, followers: profile.followers + change }))
  changeProfile(docs, followerId, (profile) => ({ ...profile, following: profile.following + change }))
}

/** A creator who is only known from follows goes with the last of them. */
function changeProfile(docs: Docs, id: string, change: (profile: Profile) => Profile): void {
  if (isRemoved(docs, id)) return
  const next = change(profileOf(docs, id))
  if (next.seq === 0 && next.followers === 0 && next.following === 0) docs.delete(profiles, id)
  else docs.put(profiles, next)
}

const removed: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(profiles, tombstone(key, sequence))
  },
  fanOut: [
    sweep(follows, {
      where: (event) => edgesOf(event.key),
      also: (_event, edge) => [ref(profiles, edge.followerId)],
      each: (_event, edge, docs) => unlink(docs, edge),
    }),
    sweep(follows, {
      where: (event) => ({ index: 'byFollower', equals: [event.key] }),
      also: (_event, edge) => [ref(profiles, edge.followedId)],
      each: (_event, edge, docs) => unlink(docs, edge),
    }),
  ],
}

function unlink(docs: Docs, edge: FollowDoc): void {
  docs.delete(follows, edge._id)
  if (isActive(edge)) changeFollowCounts(docs, edge.followedId, edge.followerId, -1)
}

export const profilesProjection = projection({
  name: 'profiles',
  version: 2,
  orderFree: true,
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
