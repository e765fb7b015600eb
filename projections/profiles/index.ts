/** Creators as their profile shows them, and who follows whom. */
import { follow, profile } from '../../readmodels/profiles/documents.js'
import { addTo, declared } from '../../src/engine/declared/index.js'

export const profilesProjection = declared({
  name: 'profiles',
  version: 3,
  keeps: [profile, follow],
  on: {
    'creator.registered': ({ data: { creatorId: _, ...fields }, time }) => profile({ ...fields, registered: true, joinedAt: time }),
    'creator.profile_changed': ({ data: { creatorId: _, ...fields } }) => profile(fields),
    'creator.handle_changed': ({ data: { handle } }) => profile({ handle }),
    'creator.followed': ({ data, time }) => follow(data.followerId, { since: time }),
    'creator.unfollowed': ({ data }) => follow(data.followerId, { since: null }),
  },
  views: [
    addTo(profile, { of: follow, through: 'followedId', reads: ['since'], adds: ['followers'] }, ({ since }) =>
      since === null ? null : { followers: 1 },
    ),
    addTo(profile, { of: follow, through: 'followerId', reads: ['since'], adds: ['following'] }, ({ since }) =>
      since === null ? null : { following: 1 },
    ),
  ],
})
