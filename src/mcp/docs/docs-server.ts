import { z } from 'zod'
import { MCP_VERSION, type McpResources, type McpServerDefinition } from '../server-definition.js'
import { checkedTool, type McpTool, toolError, toolResult } from '../tool.js'
import type { DocPage } from './docs-pages.js'
import { DocSearchIndex } from './docs-search.js'

const EXCERPT = 600
const PAGE_TTL_MS = 3_600_000

/** The MCP server for the project's documentation. Product data is on the product server. */
export function docsServer(pages: readonly DocPage[], productUrl: string): McpServerDefinition {
  return {
    name: 'vitrine-docs',
    title: 'Vitrine documentation',
    version: MCP_VERSION,
    description: 'Search and read the documentation of Vitrine.',
    instructions: `Use search_docs to find a section, then read_doc for its whole page. This server has the documentation only; what people have made is at ${productUrl}. Never ask anybody for an email address, a one-time code or a token: nothing here needs one.`,
    tools: [searchTool(pages), readTool(pages)],
    resources: docsResources(pages),
  }
}

function searchTool(pages: readonly DocPage[]): McpTool {
  // Built on first use, to keep the start fast.
  let index: DocSearchIndex | undefined
  const input = z.object({
    query: z.string().min(1).max(400).meta({ description: 'A few words, or a question.' }),
    limit: z.int().min(1).max(20).default(5).meta({ description: 'How many sections to list.' }),
  })
  const output = z.object({
    results: z.array(z.object({ path: z.string(), title: z.string(), heading: z.string(), excerpt: z.string() })),
  })
  return checkedTool({
    name: 'search_docs',
    title: 'Search the documentation',
    description: 'Sections of the documentation that match a few words, the best first. read_doc gives the whole page.',
    input,
    output,
    retryHint: 'Correct the arguments and call search_docs again.',
    call: ({ query, limit }) => {
      index ??= new DocSearchIndex(pages)
      const hits = index.search(query, limit)
      if (hits.length === 0) return toolError('Nothing in the documentation matches', `Use other words, or read one of: ${pathsOf(pages)}.`)
      const results = hits.map(({ path, page: title, heading, text }) => ({ path, title, heading, excerpt: text.slice(0, EXCERPT) }))
      return toolResult({ results })
    },
  })
}

function readTool(pages: readonly DocPage[]): McpTool {
  const input = z.object({
    path: z.string().meta({ description: 'Path of the page, as search_docs gives it.', examples: ['docs/mcp.md'] }),
  })
  const output = z.object({ path: z.string(), title: z.string(), text: z.string().meta({ description: 'The page, in markdown.' }) })
  return checkedTool({
    name: 'read_doc',
    title: 'Read a page',
    description: 'One page of the documentation, in markdown.',
    input,
    output,
    retryHint: 'Correct the arguments and call read_doc again.',
    call: ({ path }) => {
      const page = pages.find((candidate) => candidate.path === path)
      if (page === undefined) return toolError('There is no page at this path', `There are: ${pathsOf(pages)}.`)
      return toolResult({ path: page.path, title: page.title, text: page.text })
    },
  })
}

const pathsOf = (pages: readonly DocPage[]): string => pages.map(({ path }) => path).join(', ')

/** Every page as a resource. */
function docsResources(pages: readonly DocPage[]): McpResources {
  const addressOf = (path: string): string => `vitrine-docs://${path}`
  return {
    list: pages.map(({ path, title }) => ({ uri: addressOf(path), name: path, title, mimeType: 'text/markdown' })),
    templates: [],
    async read(uri) {
      const page = pages.find(({ path }) => addressOf(path) === uri)
      return page === undefined ? null : { contents: { uri, mimeType: 'text/markdown', text: page.text }, ttlMs: PAGE_TTL_MS }
    },
  }
}
