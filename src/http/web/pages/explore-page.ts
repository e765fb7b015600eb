import { SORTS } from '../../../../readmodels/feed/documents.js'
import { type CommunityFeedPage, getCommunityFeed, RELEVANCE } from '../../../../readmodels/feed/public-reads.js'
import { getCommunityLanding } from '../../../../readmodels/landing/public-reads.js'
import { type Categories, getCategories } from '../../../../readmodels/landing/unlisted-reads.js'
import { getPopularTags, type PopularTags } from '../../../../readmodels/tags/public-reads.js'
import { tagKey } from '../../../../readmodels/tags/tag-key.js'
import type { ReadSession } from '../../../operations/read-session.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { byline, creationList, tagChips } from './cards.js'
import { landingSections } from './explore-landing.js'
import { cross, star } from './icons.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

const PER_PAGE = 24
/** Tags shown at first; the rest is one click away. */
const TAGS_SHOWN = 14
const MAX_TEXT_LENGTH = 200

/** The front page, and every filtered, sorted or searched view of the feed. */
export async function explorePage(context: PageContext, reads: ReadSession, given: Record<string, unknown>): Promise<PageContent> {
  const query = parseExploreQuery(given)
  const { sort, category, tag, q, featuredOnly, cursor } = query
  const filters = { category: category ?? undefined, tag: tag ?? undefined, q: q ?? undefined, featuredOnly }
  const first = isFirstView(query)
  const [feed, tiles, tags, landing] = await Promise.all([
    reads.read(getCommunityFeed, { ...filters, sort, cursor: cursor ?? undefined, limit: PER_PAGE }),
    reads.read(getCategories, {}),
    reads.read(getPopularTags, {}),
    first ? reads.read(getCommunityLanding, {}) : null,
  ])
  const title = titleOf(context, query, tiles)
  const canonical = `${context.site.webUrl}${canonicalPath(query)}`
  return {
    title: first ? 'Vitrine' : title,
    description: context.texts.tagline,
    current: 'explore',
    ...(q !== null || cursor !== null || tag !== null ? { unlisted: true } : { canonical }),
    preview: { type: 'website', image: null },
    ...(first ? { data: structuredData(context) } : {}),
    main: html`${landing !== null && landingSections(context, landing, feed.total)}
<section class="feed" id="feed" aria-labelledby="feed-title">
<div class="feed-head">
${first ? html`<h2 id="feed-title">${title}</h2>` : html`<h1 id="feed-title" dir="auto">${title}</h1>`}
<p class="total">${context.texts.total(feed.total, context.number(feed.total))}</p>
</div>
${foundCreators(context, feed)}
${controls(context, query, tiles, tags)}
${feed.items.length === 0 ? emptyState(context) : creationList(context, feed.items, { level: first ? 3 : 2, eager: first ? 0 : 6 })}
${nextPageLink(context, query, feed)}
</section>`,
  }
}

function titleOf({ texts }: PageContext, { category, tag, q, featuredOnly }: ExploreQuery, tiles: Categories): string {
  if (q !== null) return texts.resultsFor(q)
  if (tag !== null) return texts.taggedWith(tag)
  if (category !== null) return labelOf(category, tiles)
  return featuredOnly ? texts.featured : texts.everything
}

const labelOf = (category: string, { categories }: Categories): string =>
  categories.find(({ slug }) => slug === category.toLowerCase())?.label ?? category

function canonicalPath({ sort, category, featuredOnly }: ExploreQuery): string {
  const query = new URLSearchParams()
  if (category !== null) query.set('category', category.toLowerCase())
  if (featuredOnly) query.set('featuredOnly', 'true')
  if (sort !== 'trending') query.set('sort', sort)
  return query.size === 0 ? '/' : `/?${query}`
}

function controls(context: PageContext, query: ExploreQuery, tiles: Categories, tags: PopularTags): Html {
  const { texts } = context
  return html`<div class="controls">
<nav class="sorts" aria-label="${texts.sortLabel}"><ul role="list">
${sortsFor(query).map((sort) => {
  const chosen = sort === query.sort && html` aria-current="true"`
  return html`<li><a href="${exploreUrl(context, query, { sort })}#feed"${chosen}>${texts.sorts[sort]}</a></li>\n`
})}</ul></nav>
<a class="chip" href="${exploreUrl(context, query, { featuredOnly: !query.featuredOnly })}#feed"${query.featuredOnly && html` aria-current="true"`}>${star} ${texts.featuredOnly}</a>
</div>
${isFiltered(query) ? activeFilters(context, query, tiles) : null}
${!isFirstView(query) && categoryChips(context, query, tiles)}
${tagRow(context, query, tags)}`
}

function activeFilters(context: PageContext, query: ExploreQuery, tiles: Categories): Html {
  const { texts } = context
  const filter = (label: string, change: Partial<ExploreQuery>): Html =>
    html`<li><a class="chip chip-on" href="${exploreUrl(context, query, change)}"><bdi>${label}</bdi>${cross}<span class="unseen">${texts.removeFilter(label)}</span></a></li>\n`
  return html`<ul class="chips" role="list" aria-label="${texts.filters}">
${query.q !== null && filter(`“${query.q}”`, { q: null })}${query.category !== null && filter(labelOf(query.category, tiles), { category: null })}${query.tag !== null && filter(`#${query.tag}`, { tag: null })}${query.featuredOnly && filter(texts.featuredOnly, { featuredOnly: false })}</ul>`
}

function categoryChips(context: PageContext, query: ExploreQuery, { categories }: Categories): HtmlValue {
  if (query.category !== null || categories.length === 0) return null
  return html`<nav class="strip" aria-label="${context.texts.categories}"><ul class="chips" role="list">
${categories.map(({ slug, label }) => html`<li><a class="chip" href="${exploreUrl(context, query, { category: slug })}" dir="auto">${label}</a></li>\n`)}</ul></nav>`
}

function tagRow(context: PageContext, query: ExploreQuery, { items }: PopularTags): HtmlValue {
  if (items.length === 0) return null
  const { texts } = context
  const current = query.tag === null ? null : tagKey(query.tag)
  const rest = items.slice(TAGS_SHOWN)
  return html`<nav class="tags" aria-label="${texts.tags}">
${tagChips(context, items.slice(0, TAGS_SHOWN), current)}
${rest.length > 0 && html`<details><summary class="chip">${texts.moreTags}</summary>${tagChips(context, rest, current)}</details>`}
</nav>`
}

function foundCreators(context: PageContext, { creators }: CommunityFeedPage): HtmlValue {
  if (creators.length === 0) return null
  return html`<nav class="strip" aria-label="${context.texts.foundCreators}"><ul class="chips" role="list">
${creators.map((creator) => html`<li>${byline(context, creator)}</li>\n`)}</ul></nav>`
}

const emptyState = (context: PageContext): Html => html`<div class="empty">
<p class="empty-title">${context.texts.nothing}</p>
<p>${context.texts.nothingHint}</p>
<p><a class="button" href="${context.href('/')}">${context.texts.everything}</a></p>
</div>`

/** A plain link to the next page; the script turns it into endless paging. */
function nextPageLink(context: PageContext, query: ExploreQuery, { next_cursor, items }: CommunityFeedPage): HtmlValue {
  const { texts } = context
  if (next_cursor === null) return items.length > 0 && html`<p class="more more-end">${texts.end}</p>`
  return html`<p class="more"><a class="button" rel="next" href="${exploreUrl(context, query, { cursor: next_cursor })}" data-more data-loading="${texts.loading}" data-loaded="${texts.loaded(String(PER_PAGE))}" data-failed="${texts.offline}">${texts.more}</a></p>
<p class="unseen" role="status" data-more-status></p>`
}

const structuredData = ({ site, texts }: PageContext): Record<string, unknown> => ({
  '@type': 'WebSite',
  name: 'Vitrine',
  description: texts.tagline,
  url: `${site.webUrl}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site.webUrl}/?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

type Order = (typeof SORTS)[number] | typeof RELEVANCE

/** Only a search has a best match. */
const sortsFor = ({ q }: Pick<ExploreQuery, 'q'>): readonly Order[] => (q === null ? SORTS : [RELEVANCE, ...SORTS])

const defaultSort = ({ q }: Pick<ExploreQuery, 'q'>): Order => (q === null ? 'trending' : RELEVANCE)

/** A view of the feed, as the URL of the page states it. */
interface ExploreQuery {
  sort: Order
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
  cursor: string | null
}

/** People edit URLs by hand: invalid values are ignored, not rejected. Only a cursor must be valid. */
function parseExploreQuery(given: Record<string, unknown>): ExploreQuery {
  const text = (name: string): string | null => {
    const value = given[name]
    if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed()) return null
    return value.trim().slice(0, MAX_TEXT_LENGTH)
  }
  const { cursor } = given
  const q = text('q')
  return {
    sort: sortsFor({ q }).find((sort) => sort === given.sort) ?? defaultSort({ q }),
    category: text('category'),
    tag: text('tag'),
    q,
    featuredOnly: given.featuredOnly === 'true' || given.featuredOnly === '1',
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
  }
}

/** The front page without any filter. */
const isFirstView = (query: ExploreQuery): boolean => query.sort === 'trending' && query.cursor === null && !isFiltered(query)

const isFiltered = ({ category, tag, q, featuredOnly }: ExploreQuery): boolean =>
  category !== null || tag !== null || q !== null || featuredOnly

/** The URL of a view. A cursor belongs to one query, so it is not carried over. */
function exploreUrl(context: PageContext, query: ExploreQuery, change: Partial<ExploreQuery> = {}): string {
  const { sort, category, tag, q, featuredOnly, cursor } = { ...query, cursor: null, ...change }
  const known = sortsFor({ q }).includes(sort) ? sort : defaultSort({ q })
  const shownSort = known === defaultSort({ q }) ? null : known
  return context.href('/', { q, category, tag, featuredOnly: featuredOnly ? 'true' : null, sort: shownSort, cursor })
}
