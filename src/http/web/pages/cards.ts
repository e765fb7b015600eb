import type { Creation } from '../../../../readmodels/feed/creation.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { clipped, MAX_CARD_TITLE } from './clipped-text.js'
import { heart, person, play, remix, star } from './icons.js'
import type { PageContext } from './page-context.js'

/** A list of creations. */
export function creationList(
  context: PageContext,
  items: readonly Creation[],
  { className = 'shelf', level = 3 as 2 | 3, eager = 0, signed = true } = {},
): Html {
  return html`<ul class="${className}" role="list">
${items.map((item, index) => card(context, item, { level, eager: index < eager, signed }))}</ul>`
}

interface CardStyle {
  level: 2 | 3
  /** Visible without scrolling: its picture loads at once. */
  eager: boolean
  /** Shows the name of the creator. */
  signed: boolean
}

function card(context: PageContext, item: Creation, { level, eager, signed }: CardStyle): Html {
  const { texts } = context
  const title = html`<a class="card-link" href="${context.creationUrl(item.creator.handle, item.slug)}" dir="auto">${clipped(item.title, MAX_CARD_TITLE)}</a>`
  return html`<li class="card" data-id="${item.id}">
${cover(item, eager)}
${level === 2 ? html`<h2 class="card-title">${title}</h2>` : html`<h3 class="card-title">${title}</h3>`}
${signed && html`<p class="card-by">${byline(context, item.creator)}</p>`}
<p class="card-facts"><span>${texts.kinds[item.kind]}</span>${fact(context, heart, texts.likes, item.stats.likes)}${item.featured && html`<span class="fact">${star}<span class="unseen">${texts.featured}</span></span>`}</p>
</li>
`
}

/** Decorative: the title beside it says what it is. */
export function cover({ coverUrl, kind, title }: Pick<Creation, 'coverUrl' | 'kind' | 'title'>, eager = false): Html {
  const address = httpUrlOrNull(coverUrl)
  const picture =
    address === null
      ? html`<span class="cover-letter">${Array.from(title.trimStart().slice(0, 2))[0] ?? ''}</span>`
      : html`<img src="${address}" alt="" width="1200" height="675" decoding="async"${!eager && html` loading="lazy"`}>`
  return html`<span class="cover cover-${kind}" aria-hidden="true">${picture}</span>`
}

export function byline(context: PageContext, { handle, displayName, avatarUrl }: Creation['creator']): Html {
  return html`<a class="byline" href="${context.creatorUrl(handle)}">${avatar(avatarUrl)}<bdi>${displayName}</bdi></a>`
}

export function avatar(avatarUrl: string | null, size = 24): Html {
  const address = httpUrlOrNull(avatarUrl)
  if (address === null) return html`<span class="avatar">${person}</span>`
  return html`<span class="avatar"><img src="${address}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async"></span>`
}

/** A number with an icon, and a word for screen readers. */
export const fact = (context: PageContext, icon: Html, label: string, value: number): Html =>
  html`<span class="fact" title="${label}">${icon}<span class="unseen">${label}: </span>${context.count(value)}</span>`

/** Numbers with their names underneath. */
export const statList = (context: PageContext, entries: readonly [label: string, value: number][]): Html => html`<dl class="figures">
${entries.map(([label, value]) => html`<div><dt>${label}</dt><dd>${context.count(value)}</dd></div>\n`)}</dl>`

export const engagement = (context: PageContext, { likes, remixes, plays }: Creation['stats']): Html =>
  html`<p class="engagement">${fact(context, heart, context.texts.likes, likes)}${fact(context, play, context.texts.plays, plays)}${fact(context, remix, context.texts.remixes, remixes)}</p>`

export const tagChips = (context: PageContext, tags: readonly { key: string; label: string }[], current: string | null = null): HtmlValue =>
  tags.length > 0 &&
  html`<ul class="chips" role="list">
${tags.map(({ key, label }) => {
  const chosen = key === current && html` aria-current="true"`
  return html`<li><a class="chip" href="${context.href('/', { tag: key })}" rel="tag"${chosen} dir="auto">${label}</a></li>\n`
})}</ul>`

/** Pages link only to http and https, even if the models hold something else. */
export function httpUrlOrNull(address: string | null): string | null {
  if (address === null || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return null
  return address
}

/** A number in the schema.org data of a page. */
export const interactionCounter = (action: string, count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
})
