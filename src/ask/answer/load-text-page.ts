import { z } from 'zod'
import { SORTS } from '../../../readmodels/feed/documents.js'
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
  if (wanted.page === 'tags') return tagsPage(await models.tags(), language)
  if (wanted.page === 'categories') return categoriesPage(await models.landing(language), language)
  if (wanted.page === 'creation') {
    const share = await models.share(wanted.handle, wanted.slug, language)
    return share === null ? null : creationPage(share, categoryName(share.category), language)
  }
  if (!('handle' in wanted)) return null
  const profile = await models.profile(wanted.handle, language)
  if (profile === null) return null
  if (wanted.page === 'creator') return creatorPage(profile, language)
  const people = await models[wanted.page](profile.handle)
  return people === null ? null : followsPage(profile, wanted.page, people, language)
}
