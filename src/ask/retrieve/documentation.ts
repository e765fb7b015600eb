import { readdirSync, readFileSync } from 'node:fs'
import { fillFacts } from '../../lib/fill-facts.js'
import { LANGUAGES, type Language } from '../languages.js'
import { CONTENT, factsFor, type Installation } from './facts.js'

/** One section of the documentation: what is retrieved, answered with and cited. */
export interface Passage {
  /** The same in every language. */
  id: string
  language: Language
  page: string
  title: string
  /** Without markup. */
  text: string
  /** Other words for it: searched, not shown. */
  keywords: string
  url: string
}

export interface DocumentationPage {
  language: Language
  slug: string
  title: string
  /** Without the keywords. */
  markdown: string
  passages: readonly Passage[]
}

/** The documentation in all languages, with the facts of this installation filled in. */
export class Documentation {
  readonly pages: readonly DocumentationPage[]

  constructor(installation: Installation) {
    this.pages = LANGUAGES.flatMap((language) => {
      const facts = factsFor(language, installation)
      return slugsOf(language).map((slug) => {
        const source = readFileSync(new URL(`${language}/${slug}.md`, CONTENT), 'utf8')
        return parsePage(fillFacts(source, facts), { language, slug, base: `${installation.webUrl}/docs/${language}/${slug}` })
      })
    })
  }

  page(language: string, slug: string): DocumentationPage | undefined {
    return this.pages.find((page) => page.language === language && page.slug === slug)
  }

  passage(id: string, language: Language): Passage {
    const passage = this.passages(language).find((candidate) => candidate.id === id)
    if (passage === undefined) throw new Error(`the content has no passage ${id} in ${language}`)
    return passage
  }

  passages(language: Language): Passage[] {
    return this.pages.filter((page) => page.language === language).flatMap(({ passages }) => passages)
  }
}

const slugsOf = (language: Language): string[] =>
  readdirSync(new URL(`${language}/`, CONTENT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort()

/** Exported for its tests. `content/README.md` describes how a page is written. */
export function parsePage(source: string, { language, slug, base }: { language: Language; slug: string; base: string }): DocumentationPage {
  const [head = '', ...sections] = source.split(/^## /m)
  const passages = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const [, title, id] = /^(.+?) \{#([a-z0-9-]+)\}$/.exec(heading.trim()) ?? []
    if (title === undefined || id === undefined) throw new Error(`${language}/${slug}: "${heading}" is no heading with an id`)
    const body = lines.join('\n')
    const [, keywords = ''] = KEYWORDS.exec(body) ?? []
    return { id, language, page: slug, title, text: stripMarkdown(body.replace(KEYWORDS, '')), keywords, url: `${base}#${id}` }
  })
  return { language, slug, title: head.replace(/^# /, '').trim(), markdown: source.replace(new RegExp(KEYWORDS, 'g'), ''), passages }
}

const KEYWORDS = /<!-- also: (.*?) -->\n?/

const stripMarkdown = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim()
