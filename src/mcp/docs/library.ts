import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A page of the documentation, as it is in the repository. */
export interface Page {
  /** Its place in the repository: `docs/how-it-works.md`. */
  path: string
  title: string
  text: string
  sections: readonly Section[]
}

/** What stands under one heading, up to the next. */
export interface Section {
  path: string
  page: string
  heading: string
  text: string
}

const ROOT = new URL('../../../../', import.meta.url)
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md']
const FOLDERS = ['docs', 'content']

/** Everything written about the project, in the order of its paths. */
export function loadLibrary(): Page[] {
  const inFolders = FOLDERS.flatMap((folder) => markdownIn(folder)).sort()
  return [...PAGES, ...inFolders].map((path) => pageOf(path, readFileSync(new URL(path, ROOT), 'utf8')))
}

function markdownIn(folder: string): string[] {
  const files = readdirSync(fileURLToPath(new URL(folder, ROOT)), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.md')).map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
}

export function pageOf(path: string, source: string): Page {
  // Front matter, comments and names of headings are for programs.
  const text = source
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/<!--.*?-->\n*/gs, '')
    .replace(/^(#.+?) \{#[\w-]+\}$/gm, '$1')
    .trim()
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  return { path, title, text, sections: sectionsOf(path, title, text) }
}

function sectionsOf(path: string, page: string, text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: page, lines: [] }]
  let fenced = false
  for (const line of text.split('\n')) {
    // A comment in a shell example looks like a heading.
    if (/^\s*```/.test(line)) fenced = !fenced
    const [, heading] = fenced ? [] : (/^#{1,6} (.+)$/.exec(line) ?? [])
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
    .map(({ heading, lines }) => ({ path, page, heading, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '')
}
