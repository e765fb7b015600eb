import { z } from 'zod'
import { SORTS } from '../../../readmodels/feed/documents.js'
import { getCommunityLanding } from '../../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../../readmodels/tags/public-reads.js'
import { KINDS } from '../../events/index.js'
import type { LiveContext } from '../retrieve/live-context.js'
import type { TextPage } from './citations.js'
import { categoriesPage, creationPage, creatorPage, followsPage, listPage, tagsPage } from './text-pages.js'

const text = z.string().max(200).nullable().catch(null).default(null)
const flag = z
  .enum(['true', 'false'])
  .catch('false')
  .transform((value) => value === 'true')

/** The query of a page of creations, as `listPage` writes it; an invalid value counts as absent. */
const CommunityQuery = z.object({
  sort: z.enum(SORTS).catch('trending'),
  kind: z.enum(KINDS).nullable().catch(null),
  category: text,
  tag: text,
  q: text,
  featured: flag,
  remixed: flag,
  creator: text,
  limit: z.coerce.number().int().min(1).max(24).catch(5),
})

export type TextPageRequest =
  | { page: 'community'; query: unknown }
  | { page: 'tags' | 'categories' }
  | { page: 'creator' | 'followers' | 'following'; handle: string }
  | { page: 'creation'; handle: string; slug: string }

/** One of the pages that live answers cite; null if its subject does not exist. */
export async function loadTextPage(wanted: TextPageRequest, context: LiveContext): Promise<TextPage | null> {
  const { models, language, categoryName } = context
  if (wanted.page === 'community') return (await listPage(CommunityQuery.parse(wanted.query), context)).page
  if (wanted.page === 'tags') return tagsPage(await models.read(getPopularTags, {}), language)
  if (wanted.page === 'categories') return categoriesPage(await models.read(getCommunityLanding, { locale: language }), language)
  if (wanted.page === 'creation') {
    const share = await models.find(getAppShare, { handle: wanted.handle, slug: wanted.slug, locale: language })
    return share === null ? null : creationPage(share, categoryName(share.category), language)
  }
  if (!('handle' in wanted)) return null
  const profile = await models.find(getCreatorProfile, { handle: wanted.handle, locale: language })
  if (profile === null) return null
  if (wanted.page === 'creator') return creatorPage(profile, language)
  const people = await models.find(wanted.page === 'followers' ? getCreatorFollowers : getCreatorFollowing, { handle: profile.handle })
  return people === null ? null : followsPage(profile, wanted.page, people, language)
}
