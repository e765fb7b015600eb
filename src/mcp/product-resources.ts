import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { suggestHandles, suggestSlugs } from '../../readmodels/profiles/unlisted-reads.js'
import { getAppShare } from '../../readmodels/shares/public-reads.js'
import { suggestTags } from '../../readmodels/tags/public-reads.js'
import { ServiceError } from '../contract/errors.js'
import type { InputSchema, Operation, PlainRead } from '../contract/operation.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import type { McpResources, ResourceContent } from './server-definition.js'
import type { Views } from './views.js'

const VIEW_TTL_MS = 3_600_000

interface Template {
  /** A URI with one variable per path segment. */
  uriTemplate: string
  /** The read whose answer is the resource; the template's variables are its input. */
  operation: Operation
  description: string
  completes: Record<string, PlainRead<InputSchema, { values: string[] }>>
}

const TEMPLATES: readonly Template[] = [
  {
    uriTemplate: 'vitrine://creators/{handle}',
    operation: getCreatorProfile,
    description: 'A creator by handle, as JSON.',
    completes: { handle: suggestHandles },
  },
  {
    uriTemplate: 'vitrine://apps/{handle}/{slug}',
    operation: getAppShare,
    description: 'One creation by the handle of its creator and its slug, as JSON.',
    completes: { handle: suggestHandles, slug: suggestSlugs },
  },
  {
    uriTemplate: 'vitrine://tags/{tag}',
    operation: getCommunityFeed,
    description: 'The trending creations with a tag, as JSON.',
    completes: { tag: suggestTags },
  },
]

/** The resources of the product server: views, and creators, apps and tags by URI. */
export function productResources(operations: ReadExecutor, views: Views): McpResources {
  return {
    list: views.resources,
    templates: TEMPLATES.map(({ uriTemplate, operation: { name, summary }, description }) => ({
      uriTemplate,
      name,
      title: summary,
      description,
      mimeType: 'application/json',
    })),
    async read(uri, caller) {
      const view = views.read(uri)
      if (view !== null) return { contents: view, ttlMs: VIEW_TTL_MS }
      for (const { uriTemplate, operation } of TEMPLATES) {
        const input = variablesIn(uri, uriTemplate)
        if (input !== null) return readOperation(operations, operation, input, { uri, caller })
      }
      return null
    },
    async complete(template, argument, value, given) {
      const completes = TEMPLATES.find(({ uriTemplate }) => uriTemplate === template)?.completes ?? {}
      const operation = Object.hasOwn(completes, argument) ? completes[argument] : undefined
      if (operation === undefined) return []
      const { data } = await operations.execute(operation, { ...given, prefix: value })
      return data.values
    },
  }
}

/** The variables in a URI; null if the URI does not match the template. */
function variablesIn(uri: string, template: string): Record<string, string> | null {
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')
  const found = new RegExp(`^${pattern}$`).exec(uri)?.groups
  if (found === undefined) return null
  try {
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    // Not percent-encoded correctly.
    return null
  }
}

async function readOperation(
  operations: ReadExecutor,
  operation: Operation,
  input: Record<string, string>,
  { uri, caller }: { uri: string; caller: string },
): Promise<ResourceContent | null> {
  try {
    const { data } = await operations.execute(operation, input, { caller })
    return { contents: { uri, mimeType: 'application/json', text: JSON.stringify(data) }, ttlMs: 0 }
  } catch (error) {
    // A URI that breaks a rule is treated like an unknown one.
    if (error instanceof ServiceError && ['not_found', 'validation_failed'].includes(error.error)) return null
    throw error
  }
}
