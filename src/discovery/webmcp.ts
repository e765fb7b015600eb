import { z } from 'zod'
import { ASK_TOOL, AskToolInput } from '../ask/tool.js'
import { publicReads } from '../compose/public-reads.js'
import { type Operation, pathParameters } from '../contract/operation.js'
import type { Origins } from './openapi/types.js'
import { serviceUrls } from './service-urls.js'

/** What pages offer to agents in the browser (WebMCP): every public read and ask, as their script needs to know it to register and call it. */
export const webMcpTools = ({ baseUrl, webUrl }: Pick<Origins, 'baseUrl' | 'webUrl'>, list: readonly Operation[] = publicReads) => [
  ...list.map(({ name, summary, description, path, input }) => ({
    name,
    title: summary,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    annotations: { readOnlyHint: true },
    method: 'GET',
    address: baseUrl + path,
    inPath: pathParameters(path),
  })),
  {
    ...ASK_TOOL,
    // The endpoint takes a language in no flat field; without one the question's own decides.
    inputSchema: z.toJSONSchema(AskToolInput.omit({ locale: true }), { io: 'input' }),
    annotations: { readOnlyHint: true },
    method: 'POST',
    address: `${webUrl}/ask`,
    inPath: [],
  },
]

/** The same, for those who want to know before they open a page. */
export const webMcpDocument = (sites: Origins) => ({
  name: 'vitrine',
  description: 'Public creations and creators of a community: feed, search, tags, profiles and app pages. Read-only.',
  url: sites.webUrl,
  documentation: serviceUrls(sites).llms,
  tools: webMcpTools(sites),
})
