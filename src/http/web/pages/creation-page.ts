import { type Categories, getCategories } from '../../../../readmodels/landing/unlisted-reads.js'
import { type CreatorProfile, getCreatorProfile } from '../../../../readmodels/profiles/public-reads.js'
import { type AppShare, getAppShare } from '../../../../readmodels/shares/public-reads.js'
import type { ReadSession } from '../../../operations/read-session.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { byline, cover, creationList, httpUrlOrNull, interactionCounter, statList, tagChips } from './cards.js'
import { clipped, MAX_CARD_TITLE, MAX_TEASER } from './clipped-text.js'
import { link, star } from './icons.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

/** Other creations shown of the same creator. */
const MAX_OTHERS = 4

export async function creationPage(context: PageContext, reads: ReadSession, handle: string, slug: string): Promise<PageContent> {
  const share = await reads.read(getAppShare, { handle, slug })
  const [maker, tiles] = await Promise.all([reads.read(getCreatorProfile, { handle: share.creator.handle }), reads.read(getCategories, {})])
  const { texts } = context
  return {
    title: share.share.title,
    description: share.description === '' ? share.share.title : share.description,
    canonical: share.url,
    preview: { type: 'website', image: httpUrlOrNull(share.share.imageUrl) },
    data: structuredData(share, context),
    main: html`<article class="creation">
<div class="creation-cover">${cover(share, true)}</div>
<div class="creation-text">
<p class="eyebrow">${texts.kinds[share.kind]}${share.featured && html` · ${star} ${texts.featured}`}</p>
<h1 dir="auto">${share.title}</h1>
<p class="card-by">${byline(context, share.creator)}</p>
${share.description !== '' && html`<p class="description" dir="auto">${share.description}</p>`}
${original(context, share)}
${statList(context, [
  [texts.likes, share.stats.likes],
  [texts.plays, share.stats.plays],
  [texts.remixes, share.stats.remixes],
])}
${facts(context, share, tiles)}
${tagChips(
  context,
  share.tags.map((tag) => ({ key: tag, label: tag })),
)}
<p class="actions"><button class="button" type="button" data-copy="${share.share.url}" data-copied="${texts.copied}" hidden>${link}<span>${texts.copyLink}</span></button></p>
</div>
</article>
${leaderboard(context, share)}
${
  share.remixes.length > 0 &&
  html`<section aria-labelledby="remixes"><h2 id="remixes" class="section-title">${texts.remixesTitle}</h2>${creationList(context, share.remixes, { className: 'shelf shelf-four' })}</section>`
}
${others(context, share, maker)}`,
  }
}

const original = (context: PageContext, { remixOf }: AppShare): HtmlValue =>
  remixOf !== null &&
  html`<p class="original">${context.texts.remixOf} <a href="${context.creationUrl(remixOf.handle, remixOf.slug)}" dir="auto">${clipped(remixOf.title, MAX_CARD_TITLE)}</a></p>`

function facts(context: PageContext, { category, publishedAt, updatedAt }: AppShare, { categories }: Categories): Html {
  const { texts } = context
  const label = categories.find(({ slug }) => slug === category)?.label ?? category
  return html`<dl class="facts">
<div><dt>${texts.shelf}</dt><dd><a href="${context.href('/', { category })}" dir="auto">${label}</a></dd></div>
<div><dt>${texts.published}</dt><dd><time datetime="${publishedAt}">${context.date(publishedAt)}</time></dd></div>
${updatedAt !== publishedAt && html`<div><dt>${texts.updated}</dt><dd><time datetime="${updatedAt}">${context.date(updatedAt)}</time></dd></div>`}
</dl>`
}

function leaderboard(context: PageContext, { leaderboard: leaders }: AppShare): HtmlValue {
  if (leaders.length === 0) return null
  const { texts } = context
  return html`<section aria-labelledby="leaderboard">
<h2 id="leaderboard" class="section-title">${texts.leaderboard}</h2>
<table class="scores">
<thead><tr><th scope="col" class="rank">${texts.rank}</th><th scope="col">${texts.player}</th><th scope="col" class="number">${texts.score}</th><th scope="col" class="when">${texts.when}</th></tr></thead>
<tbody>
${leaders.map(({ handle, displayName, score, achievedAt }, index) => {
  const name = html`<bdi>${displayName ?? texts.anonymous}</bdi>`
  return html`<tr><td class="rank">${index + 1}</td><td>${handle === null ? name : html`<a href="${context.creatorUrl(handle)}">${name}</a>`}</td><td class="number">${context.number(score)}</td><td class="when"><time datetime="${achievedAt}">${context.date(achievedAt)}</time></td></tr>\n`
})}</tbody>
</table>
</section>`
}

function others(context: PageContext, { id, creator }: AppShare, { apps }: CreatorProfile): HtmlValue {
  const shown = apps.filter((app) => app.id !== id).slice(0, MAX_OTHERS)
  if (shown.length === 0) return null
  return html`<section aria-labelledby="others">
<h2 id="others" class="section-title" dir="auto">${context.texts.moreBy(creator.displayName)}</h2>
${creationList(context, shown, { className: 'shelf shelf-four', signed: false })}
</section>`
}

function structuredData(share: AppShare, context: PageContext): Record<string, unknown> {
  const { title, description, url, coverUrl, category, tags, creator, stats, publishedAt, updatedAt, remixOf, kind } = share
  return {
    '@type': kind === 'game' ? ['MobileApplication', 'VideoGame'] : 'MobileApplication',
    name: title,
    description: clipped(description, MAX_TEASER),
    url,
    inLanguage: context.language,
    applicationCategory: category,
    keywords: tags,
    ...(httpUrlOrNull(coverUrl) === null ? {} : { image: coverUrl }),
    author: { '@type': 'Person', name: creator.displayName, alternateName: `@${creator.handle}` },
    datePublished: publishedAt,
    dateModified: updatedAt,
    ...(remixOf === null ? {} : { isBasedOn: { '@type': 'MobileApplication', name: clipped(remixOf.title, MAX_CARD_TITLE) } }),
    interactionStatistic: [interactionCounter('LikeAction', stats.likes), interactionCounter('UseAction', stats.plays)],
  }
}
