import type { DocumentationPage } from '../ask/retrieve/documentation.js'
import { type Operation, pathParameters } from '../contract/operation.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'
import { discoveryText } from './discovery-text.js'

/** `llms.txt`: what the service is and where everything is, for language models. */
export const llmsText = (sites: Origins, reads: readonly Operation[], pages: readonly DocumentationPage[]): string =>
  discoveryText('llms.md', sites, {
    reads: reads
      .map((read) => `- [${read.name}](${readLink(sites, read)}): ${read.summary}, \`GET ${sites.baseUrl}${read.path}\``)
      .join('\n'),
    pages: inEnglish(pages)
      .map(({ title, slug }) => `- [${title}](${sites.webUrl}/docs/en/${slug}.md)`)
      .join('\n'),
  })

const inEnglish = (pages: readonly DocumentationPage[]) => pages.filter(({ language }) => language === 'en')

/** Only what a GET answers is linked: a read with parameters in its path by its description. */
const readLink = (sites: Origins, { path, operationId }: Operation): string =>
  pathParameters(path).length === 0 ? sites.baseUrl + path : `${serviceUrls(sites).reference}#${operationId}`

/** `llms-full.txt`: `llms.txt` with all documentation in one file. */
export function llmsFullText(
  sites: Origins,
  reads: readonly Operation[],
  pages: readonly DocumentationPage[],
  more: readonly string[],
): string {
  const english = inEnglish(pages).map(({ markdown }) => markdown)
  return [llmsText(sites, reads, pages), ...[...english, ...more].map(demoted)].join('\n')
}

/** Lowers every heading by one level, because the file has one title. */
const demoted = (markdown: string): string => markdown.replace(/^(#+ .*?)( \{#[a-z0-9-]+\})?$/gm, '#$1')
