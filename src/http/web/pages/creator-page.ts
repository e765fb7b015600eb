import {
  type CreatorList,
  type CreatorProfile,
  getCreatorFollowers,
  getCreatorFollowing,
  getCreatorProfile,
} from '../../../../readmodels/profiles/public-reads.js'
import type { ReadSession } from '../../../operations/read-session.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { avatar, creationList, httpUrlOrNull, interactionCounter, statList } from './cards.js'
import { clipped, MAX_CARD_TITLE, MAX_TEASER } from './clipped-text.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

const FOLLOWS_SHOWN = 12

export async function creatorPage(context: PageContext, reads: ReadSession, handle: string): Promise<PageContent> {
  const profile = await reads.read(getCreatorProfile, { handle })
  const [followers, following] = await Promise.all([
    reads.read(getCreatorFollowers, { handle, limit: FOLLOWS_SHOWN }),
    reads.read(getCreatorFollowing, { handle, limit: FOLLOWS_SHOWN }),
  ])
  const { texts } = context
  const { displayName, bio, stats } = profile
  return {
    title: displayName,
    description: bio.trim() === '' ? texts.creatorDescription(displayName, context.number(stats.apps)) : bio,
    canonical: profile.url,
    preview: { type: 'profile', image: httpUrlOrNull(profile.avatarUrl) },
    data: structuredData(profile),
    main: html`<header class="creator">
<span class="creator-avatar">${avatar(profile.avatarUrl, 160)}</span>
<div class="creator-text">
<p class="eyebrow">@${profile.handle} · ${texts.joined(context.date(profile.joinedAt))}</p>
<h1 dir="auto">${displayName}</h1>
${bio.trim() !== '' && html`<p class="bio" dir="auto">${bio}</p>`}
${links(context, profile)}
${statList(context, [
  [texts.apps, stats.apps],
  [texts.likes, stats.likes],
  [texts.plays, stats.plays],
  [texts.remixes, stats.remixes],
  [texts.followers, stats.followers],
  [texts.following, stats.following],
])}
</div>
</header>
<section aria-labelledby="apps">
<h2 id="apps" class="section-title" dir="auto">${texts.creationsBy(displayName)}</h2>
${profile.apps.length === 0 ? html`<p class="quiet">${texts.noCreations}</p>` : creationList(context, profile.apps, { eager: 4, signed: false })}
</section>
<div class="columns">
${topScores(context, profile)}
${people(context, 'followers', texts.followers, followers)}
${people(context, 'following', texts.following, following)}
</div>`,
  }
}

/** Links that creators entered themselves: we do not vouch for them, hence `nofollow ugc`. */
function links({ texts }: PageContext, { links: given }: CreatorProfile): HtmlValue {
  const shown = given.map(({ label, url }) => ({ label, url: httpUrlOrNull(url) })).filter(({ url }) => url !== null)
  if (shown.length === 0) return null
  return html`<ul class="links" role="list" aria-label="${texts.links}">
${shown.map(({ label, url }) => html`<li><a href="${url}" rel="nofollow ugc noopener me" dir="auto">${label.trim() === '' ? url : label}</a></li>\n`)}</ul>`
}

function topScores(context: PageContext, { topScores: scores }: CreatorProfile): HtmlValue {
  if (scores.length === 0) return null
  const { texts } = context
  return html`<section aria-labelledby="scores">
<h2 id="scores" class="section-title">${texts.topScores}</h2>
<table class="scores">
<thead><tr><th scope="col">${texts.creation}</th><th scope="col" class="number">${texts.score}</th></tr></thead>
<tbody>
${scores.map(({ handle, slug, title, score }) => html`<tr><td><a href="${context.creationUrl(handle, slug)}" dir="auto">${clipped(title, MAX_CARD_TITLE)}</a></td><td class="number">${context.number(score)}</td></tr>\n`)}</tbody>
</table>
</section>`
}

function people(context: PageContext, key: string, title: string, { items, total }: CreatorList): Html {
  const { texts } = context
  const more = total - items.length
  return html`<section aria-labelledby="${key}">
<h2 id="${key}" class="section-title">${title} <span class="quiet">${context.count(total)}</span></h2>
${items.length === 0 && html`<p class="quiet">${texts.nobody}</p>`}
${
  items.length > 0 &&
  html`<ul class="people" role="list">
${items.map(({ handle, displayName, avatarUrl }) => {
  const who = html`${avatar(avatarUrl, 32)}<bdi>${displayName ?? texts.anonymous}</bdi>`
  return handle === null
    ? html`<li><span class="byline">${who}</span></li>\n`
    : html`<li><a class="byline" href="${context.creatorUrl(handle)}">${who}</a></li>\n`
})}</ul>`
}
${more > 0 && html`<p class="quiet">${texts.andMore(context.number(more))}</p>`}
</section>`
}

function structuredData({ handle, displayName, bio, avatarUrl, url, links: given, joinedAt, stats }: CreatorProfile) {
  return {
    '@type': 'ProfilePage',
    url,
    dateCreated: joinedAt,
    mainEntity: {
      '@type': 'Person',
      name: displayName,
      alternateName: `@${handle}`,
      url,
      ...(bio === '' ? {} : { description: clipped(bio, MAX_TEASER) }),
      ...(httpUrlOrNull(avatarUrl) === null ? {} : { image: avatarUrl }),
      ...(given.length === 0 ? {} : { sameAs: given.map((link) => httpUrlOrNull(link.url)).filter((address) => address !== null) }),
      interactionStatistic: [interactionCounter('FollowAction', stats.followers), interactionCounter('LikeAction', stats.likes)],
    },
  }
}
