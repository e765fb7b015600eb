import { z } from 'zod'
import { CreatorId, Handle, text, webUrl } from './fields.js'

const creatorId = CreatorId

const profile = {
  displayName: text(100).min(1),
  bio: text(2000),
  avatarUrl: webUrl.nullable(),
  links: z.array(z.object({ label: text(100), url: webUrl })).max(10),
}

export const registered = z.object({
  creatorId,
  handle: Handle,
  displayName: profile.displayName,
  bio: profile.bio.default(''),
  avatarUrl: profile.avatarUrl.default(null),
  links: profile.links.default([]),
})

export const profileChanged = z.object({
  creatorId,
  displayName: profile.displayName.optional(),
  bio: profile.bio.optional(),
  avatarUrl: profile.avatarUrl.optional(),
  links: profile.links.optional(),
})

export const handleChanged = z.object({ creatorId, handle: Handle })

/** The subject is the followed creator. */
export const followed = z.object({ creatorId, followerId: CreatorId })
export const unfollowed = followed

export const removed = z.object({ creatorId })
