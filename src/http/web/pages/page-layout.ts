import { dataBlock, type Html, type HtmlValue, html } from '../../html.js'
import type { Assets } from './assets.js'
import { summary } from './clipped-text.js'
import { magnifier } from './icons.js'
import { LANGUAGES, type PageContext, TEXTS, withQuery } from './page-context.js'

/** The content of a page; the frame is the same for all. */
export interface PageContent {
  title: string
  description: string
  main: Html
  /** Its entry in the menu. */
  current?: 'explore' | 'docs' | 'changelog'
  /** The absolute URL of this page; translations add `?locale=`. */
  canonical?: string
  /** Kept out of search engines: results, errors, further pages. */
  unlisted?: boolean
  /** For link previews. */
  preview?: { type: string; image: string | null }
  /** A schema.org object. */
  data?: Record<string, unknown>
  /** The same for agents that ask for it by `Accept`. */
  markdown?: { language: string; text: () => string }
}

const NAME = 'Vitrine'

/** A whole HTML document. */
export function pageLayout(context: PageContext, assets: Assets, page: PageContent): Html {
  const { texts } = context
  return html`<!doctype html>
<html lang="${context.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title === NAME ? `${NAME} · ${texts.tagline}` : `${page.title} · ${NAME}`}</title>
<meta name="description" content="${summary(page.description)}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#131210" media="(prefers-color-scheme: dark)">
<link rel="preload" href="${assets.path('instrument-sans-latin-wght-normal.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="${assets.path('instrument-serif-latin-400-normal.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.path('vitrine.css')}">
<link rel="icon" href="${assets.path('icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assets.path('icon-192.png')}">
<link rel="manifest" href="${assets.path('manifest.json')}">
${canonicalLinks(page)}${socialMeta(context, page)}<script src="${assets.path('vitrine.js')}" type="module" data-tools="${assets.path('tools.json')}"></script>
${page.data !== undefined && dataBlock('application/ld+json', { '@context': 'https://schema.org', ...page.data })}
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
${header(context, page)}
<main id="main" tabindex="-1">
${page.main}
</main>
${footer(context)}
</body>
</html>
`
}

function canonicalLinks({ canonical, unlisted }: PageContent): HtmlValue {
  if (unlisted || canonical === undefined) return html`<meta name="robots" content="noindex">\n`
  return html`<link rel="canonical" href="${canonical}">
<link rel="alternate" hreflang="x-default" href="${canonical}">
${LANGUAGES.map((language) => html`<link rel="alternate" hreflang="${language}" href="${withQuery(canonical, { locale: language })}">\n`)}`
}

function socialMeta(context: PageContext, { title, description, canonical, preview }: PageContent): HtmlValue {
  if (canonical === undefined || preview === undefined) return null
  const image = preview.image
  return html`<meta property="og:site_name" content="${NAME}">
<meta property="og:type" content="${preview.type}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${summary(description)}">
<meta property="og:url" content="${canonical}">
<meta property="og:locale" content="${context.language}">
${image !== null && html`<meta property="og:image" content="${image}">\n`}<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${summary(description)}">
${image !== null && html`<meta name="twitter:image" content="${image}">\n`}`
}

function header(context: PageContext, { current }: PageContent): Html {
  const { texts } = context
  const entry = (key: PageContent['current'], path: string, label: string) =>
    html`<li><a href="${context.href(path)}"${current === key && html` aria-current="page"`}>${label}</a></li>`
  return html`<header class="top">
<a class="wordmark" href="${context.href('/')}">${NAME}</a>
<nav aria-label="${texts.menu}"><ul>
${entry('explore', '/', texts.explore)}
${entry('docs', '/docs', texts.apiReference)}
${entry('changelog', '/changelog', texts.changelog)}
</ul></nav>
<form class="search" role="search" action="${context.href('/')}" method="get">
${magnifier}
<label class="unseen" for="search">${texts.searchLabel}</label>
<input id="search" type="search" name="q" placeholder="${texts.searchPlaceholder}" maxlength="200" autocomplete="off" enterkeyhint="search">
${localeField(context)}<button class="unseen-until-focus" type="submit">${texts.search}</button>
</form>
</header>`
}

function footer(context: PageContext): Html {
  const { texts } = context
  return html`<footer class="bottom">
<p><span class="wordmark">${NAME}</span> ${texts.footer}</p>
<nav aria-label="${texts.language}"><ul>
${LANGUAGES.map((language) => {
  const chosen = language === context.language && html` aria-current="true"`
  return html`<li><a href="${context.urlInLanguage(language)}" hreflang="${language}" lang="${language}"${chosen}>${TEXTS[language].languageName}</a></li>\n`
})}</ul></nav>
</footer>`
}

/** GET forms drop the query of their action, so the chosen locale is a field. */
export const localeField = ({ chosenLocale }: PageContext): HtmlValue =>
  chosenLocale !== null && html`<input type="hidden" name="locale" value="${chosenLocale}">\n`
