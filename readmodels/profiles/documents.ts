import { z } from 'zod'
import { FieldVersions } from '../../src/lib/field-versions.js'
import { collection, type FieldGroup, fieldGroup, living, Tombstone } from '../collection.js'

const Profile = z.object({
  ...living,
  setAt: FieldVersions,
  registered: z.boolean(),
  handle: z.string().nullable(),
  handleKey: z.string().nullable(),
  /** Position of the event that claimed the handle: the newest claim wins. */
  handleAt: z.number(),
  displayName: z.string(),
  bio: z.string(),
  avatarUrl: z.string().nullable(),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  joinedAt: z.number(),
  followers: z.number().nonnegative(),
  following: z.number().nonnegative(),
})
export type Profile = z.infer<typeof Profile>

export const ProfileDoc = z.discriminatedUnion('removed', [Profile, Tombstone])
export type ProfileDoc = z.infer<typeof ProfileDoc>

/** What a list of creators shows. */
const CARD_FIELDS = ['removed', 'registered', 'handle', 'displayName', 'avatarUrl'] as const

export const profiles = collection<ProfileDoc>({
  name: 'profiles',
  schema: ProfileDoc,
  shows: ['_id'],
  fieldGroups: { card: CARD_FIELDS },
  indexes: [{ name: 'byHandle', fields: ['handleKey', 'handleAt'], order: 'desc', use: 'query' }],
})

export const profileCards = fieldGroup(profiles, 'card', CARD_FIELDS)
export type ProfileCard = FieldGroup<Profile, (typeof CARD_FIELDS)[number]>

export const FollowDoc = z.object({
  _id: z.string(),
  followedId: z.string(),
  followerId: z.string(),
  /** The highest sequence of a follow or unfollow, which decides `since`. */
  seq: z.number(),
  /** Null after an unfollow, which keeps the edge out of the readers' indexes. */
  since: z.number().nullable(),
})
export type FollowDoc = z.infer<typeof FollowDoc>

/** One edge per pair; its id begins with the followed creator. */
export const follows = collection<FollowDoc>({
  name: 'follows',
  schema: FollowDoc,
  indexes: [
    { name: 'byFollower', fields: ['followerId'], use: 'fold' },
    { name: 'followers', fields: ['followedId', 'since'], order: 'desc', use: 'query' },
    { name: 'following', fields: ['followerId', 'since'], order: 'desc', use: 'query' },
  ],
  edges: true,
  uncached: true,
})
