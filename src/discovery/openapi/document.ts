/** The OpenAPI document, made from the same list of reads that the hosts serve. */

import { DESCRIPTION_VERSION, type Operation } from '../../contract/operation.js'
import type { Origins } from '../../contract/public-urls.js'
import { agentEndpoints } from './agent-endpoints.js'
import { headers, parameters, sharedResponses } from './components.js'
import { publicReadEndpoints } from './public-reads.js'
import { SchemaRegistry } from './schemas.js'
import type { Endpoint, OpenApiDocument, PathItem } from './types.js'

const TAGS: Record<string, string> = {
  community: 'The community feed, its tags and its landing.',
  users: 'Public creator profiles and who follows whom.',
  apps: 'Public share data of single creations.',
  agents: 'Surfaces made for agents: ask, jobs, batch, MCP, status.',
}

export function openApiDocument(sites: Origins, reads: readonly Operation[]): OpenApiDocument {
  const schemas = new SchemaRegistry()
  const endpoints = [...publicReadEndpoints(schemas, sites, reads), ...agentEndpoints(schemas, sites, reads)]
  const responses = sharedResponses(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine public read API',
      version: DESCRIPTION_VERSION,
      summary: 'Public creations, their tags and their creators. Read-only, no credentials.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: sites.baseUrl, description: 'The API host.' }],
    security: [],
    tags: usedTags(endpoints),
    paths: pathsOf(endpoints),
    components: { schemas: schemas.all(), responses, parameters, headers },
  }
}

const DESCRIPTION = [
  'The public read side of an app in which people describe an app, game, tracker or widget and get it built. Building, editing, publishing and purchasing happen only inside the mobile app: nothing here writes, and nothing here needs a credential.',
  'A success is `{code: 0, data}`. An error is `{code, message, error, retryable, request_id}` with a `code` other than 0; `retryable` says whether trying again can help.',
  'The API is additive: expect fields and values you do not know. A breaking change comes on a new path; what it replaces carries `Deprecation` and `Sunset` headers for at least 90 days.',
  'Use is fair-use. The `RateLimit` headers say how much is left; after a 429, wait for `Retry-After`. HEAD is answered wherever GET is.',
].join('\n\n')

function usedTags(endpoints: readonly Endpoint[]): OpenApiDocument['tags'] {
  const used = new Set(endpoints.flatMap(({ operation }) => operation.tags))
  const own = [...used].filter((name) => !Object.hasOwn(TAGS, name))
  const unknown = own.filter((name) => !name.startsWith('x-'))
  if (unknown.length > 0) throw new Error(`no description for the tags ${unknown.join(', ')}`)
  return [
    ...Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    ...own.map((name) => ({ name, description: `Models of this installation's own, under /public/share/${name.replace('-', '/')}.` })),
  ]
}

function pathsOf(endpoints: readonly Endpoint[]): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const { method, path, operation } of endpoints) {
    const item = paths[path] ?? {}
    if (item[method] !== undefined) throw new Error(`${method.toUpperCase()} ${path} is described twice`)
    paths[path] = { ...item, [method]: operation }
  }
  return paths
}
