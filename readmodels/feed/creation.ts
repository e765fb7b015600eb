import { z } from 'zod'
import { count, isoDateTime, namedSchema } from '../../src/contract/fields.js'
import type { Localizer } from '../../src/contract/locale.js'
import type { PublicUrls } from '../../src/contract/public-urls.js'
import { isoTime, KINDS } from '../../src/events/index.js'
import type { Item } from './documents.js'

export const CreatorCard = namedSchema(
  'CreatorCard',
  z.object({ handle: z.string(), displayName: z.string(), avatarUrl: z.string().nullable() }),
  'A creator as shown beside a creation.',
)

/** A schema that extends a creation takes these, so that it gets its own name in the published descriptions. */
export const creationFields = {
  id: z.string(),
  slug: z.string(),
  url: z.string().meta({ description: 'Public address: the handle is the subdomain, the slug the path.' }),
  kind: z.enum(KINDS),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  coverUrl: z.string().nullable(),
  featured: z.boolean(),
  creator: CreatorCard,
  stats: z.object({ likes: count, remixes: count, plays: count }),
  remixOf: z
    .object({ handle: z.string(), slug: z.string(), title: z.string() })
    .nullable()
    .meta({ description: 'The original, while it is public.' }),
  publishedAt: isoDateTime,
  updatedAt: isoDateTime,
}

export const Creation = namedSchema('Creation', z.object(creationFields), 'A public creation, in the best available language.')
export type Creation = z.infer<typeof Creation>

/** Turns a stored item into what readers get. Throws for an item that is not public. */
export function renderCreation(item: Item, localizer: Localizer, urls: PublicUrls): Creation {
  const { creator, slug, kind, category, original } = item
  if (creator === null || slug === null || kind === null || category === null)
    throw new Error(`creation ${item._id} is listed but not public`)
  return {
    id: item._id,
    slug,
    url: urls.creation(creator.handle, slug),
    kind,
    title: localizer.text(item.title),
    description: localizer.text(item.description),
    category,
    tags: item.tags,
    coverUrl: item.coverUrl,
    featured: item.featured,
    creator,
    stats: { likes: item.likes, remixes: item.remixes, plays: item.plays },
    remixOf: original === null ? null : { handle: original.handle, slug: original.slug, title: localizer.text(original.title) },
    publishedAt: isoTime(item.publishedAt),
    updatedAt: isoTime(item.updatedAt),
  }
}
