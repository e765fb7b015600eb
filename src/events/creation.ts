import { z } from 'zod'
import { CategorySlug, CreationId, CreatorId, localized, Slug, text, webUrl } from './fields.js'

export const KINDS = ['app', 'game', 'tracker', 'widget', 'experience'] as const
export const Kind = z.enum(KINDS)
export type Kind = z.infer<typeof Kind>

const creationId = CreationId
const TITLE = 200
const DESCRIPTION = 5000

const listing = {
  slug: Slug,
  category: CategorySlug,
  /** A creation is found under every combination of its tags and category, so the number of tags is bounded. */
  tags: z.array(text(64)).max(12),
  coverUrl: webUrl.nullable(),
}

const publication = {
  creationId,
  creatorId: CreatorId,
  slug: listing.slug,
  kind: Kind,
  category: listing.category,
  tags: listing.tags.default([]),
  coverUrl: listing.coverUrl.default(null),
  remixOf: CreationId.nullable().default(null),
}

const edit = {
  creationId,
  slug: listing.slug.optional(),
  category: listing.category.optional(),
  tags: listing.tags.optional(),
  coverUrl: listing.coverUrl.optional(),
}

/** Version 1 knew one language only. */
export const publishedV1 = z.object({ ...publication, title: text(TITLE).min(1), description: text(DESCRIPTION).default('') })

export const published = z.object({ ...publication, title: localized(TITLE), description: localized(DESCRIPTION) })

export const editedV1 = z.object({ ...edit, title: text(TITLE).min(1).optional(), description: text(DESCRIPTION).optional() })

export const edited = z.object({
  ...edit,
  title: localized(TITLE).optional(),
  description: localized(DESCRIPTION).optional(),
})

const reason = text(500).optional()

export const unpublished = z.object({ creationId, reason })
export const republished = unpublished
export const removed = unpublished

export const featured = z.object({ creationId, spotlight: z.boolean().default(false) })
export const unfeatured = featured

export const liked = z.object({ creationId, userId: CreatorId })
export const unliked = liked

export const played = z.object({ creationId, userId: CreatorId, seconds: z.number().nonnegative().max(86_400) })

/** Scores are compared exactly, so they stay within what a double holds exactly. */
export const scored = z.object({
  creationId,
  userId: CreatorId,
  score: z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
})

/** Version 1 had titles and descriptions in English only. */
const asEnglish = (value: string | undefined) => (value === undefined ? undefined : { en: value })

export const localizeText = <T extends { title?: string | undefined; description?: string | undefined }>(data: T) => ({
  ...data,
  title: asEnglish(data.title),
  description: asEnglish(data.description),
})
