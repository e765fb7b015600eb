import { z } from 'zod'
import { claimed, type DocumentOf, edge, latest, own, person, state, total } from '../../src/engine/declared/index.js'
import { handleKey } from '../../src/events/index.js'
import { type FieldGroup, fieldGroup } from '../collection.js'

/** What a list of creators shows. */
const CARD_FIELDS = ['removed', 'registered', 'handle', 'displayName', 'avatarUrl'] as const

export const profile = state(
  'creator',
  {
    registered: latest(false),
    handle: latest(z.string()),
    /** The newest claim to a handle wins. */
    handleAt: claimed('handle'),
    displayName: latest(''),
    bio: latest(''),
    avatarUrl: latest(z.string().nullable(), null),
    links: latest(z.array(z.object({ label: z.string(), url: z.string() })), []),
    joinedAt: latest(0),
    followers: total(),
    following: total(),
  },
  {
    name: 'profiles',
    fieldGroups: { card: CARD_FIELDS },
    // Not by `.index()`: processes of two releases share the names of indexes.
    indexes: [{ name: 'byHandle', fields: ['handleKey', 'handleAt'], order: 'desc', use: 'query' }],
  },
)
  // Without an address until registered.
  .derive('handleKey', z.string().nullable(), ['registered', 'handle'], ({ registered, handle }) =>
    registered && handle !== null ? handleKey(handle) : null,
  )

export const profiles = profile.documents
export type Profile = DocumentOf<typeof profile>

export const profileCards = fieldGroup(profiles, 'card', CARD_FIELDS)
export type ProfileCard = FieldGroup<Profile, (typeof CARD_FIELDS)[number]>

/** Who follows whom. Without a date after an unfollow, which keeps the edge out of the readers' indexes. */
export const follow = edge(
  'creator',
  'follows',
  { followedId: own, followerId: person },
  { since: latest(z.number().nullable(), null) },
  {
    indexes: [
      { name: 'followers', fields: ['followedId', 'since'], order: 'desc', use: 'query' },
      { name: 'following', fields: ['followerId', 'since'], order: 'desc', use: 'query' },
    ],
  },
)

export const follows = follow.documents
export type FollowDoc = DocumentOf<typeof follow>
