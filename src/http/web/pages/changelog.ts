import { readFileSync } from 'node:fs'
import { marked } from 'marked'
import { html, trusted } from '../../html.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

/** The file of the checkout, seen from `dist/src/http/web/pages/`. */
const FILE = new URL('../../../../../CHANGELOG.md', import.meta.url)

/** What changed for users, straight from the file. Ours, so its markup is trusted. */
export function changelogPage(): (context: PageContext) => PageContent {
  const text = readFileSync(FILE, 'utf8').replace(/^# .*\n/, '')
  const body = trusted(marked.parse(text, { async: false }))
  return (context) => ({
    title: context.texts.changelog,
    description: text.trim().split('\n\n', 1)[0] ?? context.texts.changelog,
    current: 'changelog',
    canonical: `${context.site.webUrl}/changelog`,
    main: html`<article class="prose" lang="en"><h1 lang="${context.language}">${context.texts.changelog}</h1>${body}</article>`,
  })
}
