import type { IncomingMessage } from 'node:http'
import type { WorkKind } from './admission-controller.js'

const POST_KINDS: readonly [RegExp, WorkKind][] = [
  [/^\/batch$/, 'batch'],
  [/\/ask$/, 'question'],
  [/^\/(mcp|api\/mcp|webmcp)$/, 'tool'],
]

/** The work kind of a request, from its head alone; `null` when it waits for something other than the database. */
export function workKindOf({ method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): WorkKind | null {
  if (headers['service-min-position'] !== undefined) return null
  if (method === 'GET' || method === 'HEAD') return 'read'
  if (method !== 'POST') return null
  const path = decodePath(url.split('?', 1)[0] ?? '')
  return POST_KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** As the router does, or `/%61sk` would bypass the limit. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
