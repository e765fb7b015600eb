import { readFileSync } from 'node:fs'
import type { Resource } from '@modelcontextprotocol/server'
import { packageRoot } from '../lib/package-root.js'

/** Small pages that hosts show beside a tool's answer (MCP Apps). Self-contained except for pictures. */
export interface View {
  /** Names its URI and its script. */
  name: string
  title: string
  description: string
  /** The tools whose answers it can show. */
  tools: readonly string[]
}

export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app'

const VIEWS: readonly View[] = [
  {
    name: 'community',
    title: 'Community',
    description: 'Creations as a list with covers, with sorts and further pages; or the rails of the landing page.',
    tools: ['get_community_feed', 'get_community_landing'],
  },
  {
    name: 'tags',
    title: 'Popular tags',
    description: 'Tags by how often they are used; choosing one shows its creations.',
    tools: ['get_popular_tags'],
  },
  {
    name: 'creator',
    title: 'Creator',
    description: 'A creator with totals, apps and best scores.',
    tools: ['get_creator_profile'],
  },
  {
    name: 'app-share',
    title: 'App',
    description: 'One creation with its cover, leaderboard and remixes.',
    tools: ['get_app_share'],
  },
]

export const viewOf = (tool: string): View | null => VIEWS.find(({ tools }) => tools.includes(tool)) ?? null

const uriOf = ({ name }: View): string => `ui://vitrine/${name}`

/** A tool's reference to its view; the second key is for older hosts. */
export const viewMeta = (view: View) => ({ ui: { resourceUri: uriOf(view) }, 'ui/resourceUri': uriOf(view) })

export type Views = ReturnType<typeof createViews>

/** The views with their content security policy: pictures from the given origins, nothing else. */
export function createViews(pictureOrigins: readonly string[]) {
  const pages = new Map(VIEWS.map((view) => [uriOf(view), viewHtml(view, pictureOrigins)]))
  const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [...pictureOrigins] }, prefersBorder: true } }
  const resources: Resource[] = VIEWS.map((view) => {
    const { title, description } = view
    return { uri: uriOf(view), name: title, title, description, mimeType: VIEW_MIME_TYPE, _meta }
  })
  const read = (uri: string) => {
    const text = pages.get(uri)
    return text === undefined ? null : { uri, mimeType: VIEW_MIME_TYPE, text, _meta }
  }
  return { resources, read }
}

/** Scripts and styles are separate files, so that tools can check and format them. */
const asset = (file: string): string => readFileSync(new URL(`assets/views/${file}`, packageRoot), 'utf8')

function viewHtml({ title, name }: View, pictureOrigins: readonly string[]): string {
  const scripts = ['host.js', 'parts.js', `${name}.js`].map((file) => `<script type="module">\n${asset(file)}</script>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="picture-origins" content="${pictureOrigins.join(' ')}">
<title>${title}</title>
<style>
${asset('view.css')}</style>
<main aria-busy="true"><p class="note">Loading…</p></main>
${scripts.join('\n')}
</html>
`
}
