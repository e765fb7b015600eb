import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../lib/package-root.js'

/** A documentation page of the repository. */
export interface DocPage {
  /** Path in the repository, such as `docs/how-it-works.md`. */
  path: string
  title: string
  text: string
  sections: readonly DocSection[]
}

/** The text under one heading, up to the next. */
export interface DocSection {
  path: string
  page: string
  heading: string
  text: string
}

const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'content/README.md']
/** The demo's addresses, which all examples use. */
const DEMO = { baseUrl: 'http://127.0.0.1:3000', webUrl: 'http://127.0.0.1:3001' }

/** A page of `content/`, with its facts filled in. */
export interface ContentPage {
  language: string
  slug: string
  markdown: string
}

/** All documentation, sorted by path, with this installation's addresses instead of the demo's. */
export function loadDocPages(content: readonly ContentPage[], { baseUrl, webUrl }: typeof DEMO): DocPage[] {
  const written = [...PAGES, ...markdownIn('docs')].map((path) => ({ path, source: readFileSync(new URL(path, packageRoot), 'utf8') }))
  const filled = content.map(({ language, slug, markdown }) => ({ path: `content/${language}/${slug}.md`, source: markdown }))
  const here = (source: string) => source.replaceAll(DEMO.baseUrl, baseUrl).replaceAll(DEMO.webUrl, webUrl)
  return [...written, ...filled].map(({ path, source }) => parseDocPage(path, here(source)))
}

function markdownIn(folder: string): string[] {
  const files = readdirSync(fileURLToPath(new URL(folder, packageRoot)), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort()
}

export function parseDocPage(path: string, source: string): DocPage {
  // Drop front matter, comments and heading ids.
  const text = source
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/<!--.*?-->\n*/gs, '')
    .replace(/^(#.+?) \{#[\w-]+\}$/gm, '$1')
    .trim()
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  return { path, title, text, sections: splitSections(path, title, text) }
}

function splitSections(path: string, page: string, text: string): DocSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: page, lines: [] }]
  let fenced = false
  for (const line of text.split('\n')) {
    // A comment in a shell example is no heading.
    if (/^\s*```/.test(line)) fenced = !fenced
    const [, heading] = fenced ? [] : (/^#{1,6} (.+)$/.exec(line) ?? [])
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
    .map(({ heading, lines }) => ({ path, page, heading, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '')
}
