import type { IncomingMessage } from 'node:http'
import type { Kind } from './admission-controller.js'

const POSTS: readonly [RegExp, Kind][] = [
  [/^\/batch$/, 'batch'],
  [/\/ask$/, 'question'],
  [/^\/(mcp|api\/mcp|webmcp)$/, 'tool'],
]

/** What a request wants of the database, from what is known before any work; `null` when it waits for something else. */
export function kindOf({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Kind | null {
  if (headers['service-min-position'] !== undefined) return null
  if (method === 'GET' || method === 'HEAD') return 'read'
  if (method !== 'POST') return null
  const path = decoded(url.split('?', 1)[0] ?? '')
  return POSTS.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** As the router does, or `%61sk` would be a way round the limit. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
