import { handleKey } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import { follows, type Profile, type ProfileCard, profileCards, profiles } from './documents.js'

/** The profile with the newest claim to the handle. */
export async function profileByHandle(reads: Reads, handle: string): Promise<Profile | null> {
  const [profile] = await reads.range(profiles, { index: 'byHandle', equals: [handleKey(handle)], limit: 1 })
  return profile === undefined || profile.removed ? null : profile
}

/** Handles in use that begin with the prefix, in alphabetical order, at most `limit`. */
export async function handlesStartingWith(reads: Reads, prefix: string, limit: number): Promise<string[]> {
  const found = await reads.range(profiles, { index: 'byHandle', equals: [], startsWith: handleKey(prefix), limit })
  const handles = found.map((profile) => (profile.removed || !profile.registered ? null : profile.handle))
  return [...new Set(handles.filter((handle) => handle !== null))].sort()
}

interface Follow {
  /** Null for a follower who never registered. */
  profile: ProfileCard | null
  since: number
}

/** Who follows a creator, or whom the creator follows; newest first. The edges hold ids; one more read gets the profiles. */
export async function followsOf(reads: Reads, list: 'followers' | 'following', creatorId: string, limit: number): Promise<Follow[]> {
  const edges = await reads.range(follows, { index: list, equals: [creatorId], limit })
  const found = await reads.get(
    profileCards,
    edges.map(({ followerId, followedId }) => (list === 'followers' ? followerId : followedId)),
  )
  return edges.map(({ since }, i) => {
    const profile = found[i]
    // The index only holds edges with a date.
    return { profile: profile !== undefined && !profile.removed && profile.registered ? profile : null, since: since ?? 0 }
  })
}
