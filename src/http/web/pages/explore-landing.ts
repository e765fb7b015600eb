import type { Creation } from '../../../../readmodels/feed/creation.js'
import type { CommunityLanding } from '../../../../readmodels/landing/public-reads.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { byline, cover, creationList, engagement, httpUrlOrNull } from './cards.js'
import { clipped, MAX_CARD_TITLE, MAX_TEASER } from './clipped-text.js'
import { arrow } from './icons.js'
import type { PageContext, Query } from './page-context.js'
import { localeField } from './page-layout.js'

/** What stands above the feed on the first view: a greeting, the ask box, the spotlight, rails and shelves. */
export function landingSections(context: PageContext, landing: CommunityLanding, total: number): Html {
  const { texts } = context
  return html`<section class="hero">
<h1>${texts.heroLead} <em>${texts.heroTail}</em></h1>
<p class="lede">${texts.lede(context.number(total))}</p>
${askBox(context)}
</section>
${spotlight(context, landing.spotlight)}
${categories(context, landing)}
${landing.rails.map((rail) => SEE_ALL[rail.key] !== undefined && rail.items.length > 0 && railSection(context, rail))}`
}

/** Where a rail goes on. The trending one is left out: the feed below begins with it. */
const SEE_ALL: Partial<Record<CommunityLanding['rails'][number]['key'], Query>> = {
  featured: { featuredOnly: 'true' },
  recent: { sort: 'recent' },
  remixed: { sort: 'remixed' },
  liked: { sort: 'liked' },
}

/** Without script it is a search. */
function askBox(context: PageContext): Html {
  const { texts } = context
  return html`<form class="ask" action="${context.href('/')}" method="get" data-ask data-locale="${context.locale}" data-thinking="${texts.askThinking}" data-failed="${texts.askFailed}" data-sources="${texts.askSources}" data-found="${texts.askFound}" data-close="${texts.close}" data-search="${texts.search}">
<label class="unseen" for="ask">${texts.askLabel}</label>
<input id="ask" name="q" type="text" placeholder="${texts.askPlaceholder}" maxlength="200" autocomplete="off" required>
${localeField(context)}<button type="submit">${texts.ask}${arrow}</button>
</form>
<ul class="suggestions chips" role="list" data-suggestions hidden>
${texts.suggestions.map((question) => html`<li><button class="chip" type="button">${question}</button></li>\n`)}</ul>
<section class="answer" data-answer aria-live="polite" aria-label="${texts.askLabel}" hidden></section>`
}

function spotlight(context: PageContext, [first, ...rest]: readonly Creation[]): HtmlValue {
  if (first === undefined) return null
  const { texts } = context
  return html`<section class="spotlight" aria-labelledby="spotlight">
<h2 class="eyebrow" id="spotlight">${texts.spotlight}</h2>
<article class="lead card">
${cover(first, true)}
<div class="lead-text">
<p class="eyebrow">${texts.kinds[first.kind]}</p>
<h3 class="lead-title"><a class="card-link" href="${context.creationUrl(first.creator.handle, first.slug)}" dir="auto">${clipped(first.title, MAX_CARD_TITLE)}</a></h3>
<p class="lead-description" dir="auto">${clipped(first.description, MAX_TEASER)}</p>
<p class="card-by">${byline(context, first.creator)}</p>
${engagement(context, first.stats)}
</div>
</article>
${rest.length > 0 && creationList(context, rest.slice(0, 4), { className: 'shelf shelf-four', eager: 4 })}
</section>`
}

function categories(context: PageContext, landing: CommunityLanding): HtmlValue {
  if (landing.categories.length === 0) return null
  return html`<section class="categories" aria-labelledby="categories">
<h2 id="categories">${context.texts.categories}</h2>
<ul class="tiles" role="list">
${landing.categories.map(({ slug, label, count, coverUrl }) => {
  const picture = httpUrlOrNull(coverUrl)
  return html`<li><a class="tile" href="${context.href('/', { category: slug })}">
${picture !== null && html`<img src="${picture}" alt="" width="1200" height="675" loading="lazy" decoding="async">`}
<span class="tile-label" dir="auto">${label}</span><span class="tile-count">${context.texts.total(count, context.number(count))}</span></a></li>\n`
})}</ul>
</section>`
}

function railSection(context: PageContext, { key, title, items }: CommunityLanding['rails'][number]): Html {
  return html`<section class="rail" aria-labelledby="rail-${key}">
<div class="rail-head"><h2 id="rail-${key}">${title}</h2>
<a class="see-all" href="${context.href('/', SEE_ALL[key])}">${context.texts.seeAll}<span class="unseen">: ${title}</span>${arrow}</a></div>
${creationList(context, items, { className: 'rail-items' })}
</section>`
}
