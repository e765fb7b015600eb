import { z } from 'zod'
import { SORTS } from '../../../readmodels/feed/documents.js'
import { getCommunityLanding } from '../../../readmodels/landing/public-reads.js'
import { getCreatorFollowers, getCreatorFollowing, getCreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import { getAppShare } from '../../../readmodels/shares/public-reads.js'
import { getPopularTags } from '../../../readmodels/tags/public-reads.js'
import { KINDS } from '../../events/index.js'
import { listPage } from '../retrieve/creation-list.js'
import type { TextPage } from './citations.js'
import type { LiveContext } from './live-answer.js'
import { categoriesPage, creationPage, creatorPage, followsPage, tagsPage } from './text-pages.js'

const text = z.string().max(200).nullable().catch(null).default(null)
const flag = z
  .enum(['true', 'false'])
  .catch('false')
  .transform((value) => value === 'true')

/** The query of a page of creations, as `listing` writes it; what does not fit counts as left out. */
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

/** One of the pages that live answers cite; null when what it is about does not exist. */
export async function loadTextPage(wanted: TextPageRequest, telling: LiveContext): Promise<TextPage | null> {
  const { models, language, categoryName } = telling
  if (wanted.page === 'community') return (await listPage(models, CommunityQuery.parse(wanted.query), language, categoryName)).page
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
