import type { IncomingMessage } from 'node:http'
import type { WorkKind } from './admission-controller.js'

const POST_KINDS: readonly [RegExp, WorkKind][] = [
  [/^\/batch$/, 'batch'],
  [/\/ask$/, 'question'],
  [/^\/(mcp|api\/mcp|webmcp)$/, 'tool'],
]

/** What a request wants of the database, from what is known before any work; `null` when it waits for something else. */
export function workKindOf({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): WorkKind | null {
  if (headers['service-min-position'] !== undefined) return null
  if (method === 'GET' || method === 'HEAD') return 'read'
  if (method !== 'POST') return null
  const path = decodePath(url.split('?', 1)[0] ?? '')
  return POST_KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** As the router does, or `%61sk` would be a way round the limit. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
