import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a path that has the route's shape is one of its paths. Default: it is. */
    hasPath?: (parameters: Readonly<Record<string, string>>) => boolean
  }
}

/** A route as it was declared. */
export interface KnownRoute {
  method: string
  url: string
  config: FastifyContextConfig
}

/** The routes of a host, for what has to be known of a request before Fastify looks for its route. */
export class RouteTable {
  readonly #fixed = new Map<string, KnownRoute>()
  readonly #patterns: { pattern: RegExp; route: KnownRoute }[] = []

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ method: methods, url, config = {} }) => {
      if (url === '*') return
      for (const method of [methods].flat()) {
        const route = { method, url, config }
        if (/[:*]/.test(url)) this.#patterns.push({ pattern: patternOf(url), route })
        else this.#fixed.set(`${method} ${url}`, route)
      }
    })
  }

  /** `null` if there is none, for this method at least. */
  find(method: string, url: string): KnownRoute | null {
    const path = pathOf(url)
    const fixed = this.#fixed.get(`${method} ${path}`)
    if (fixed !== undefined) return fixed
    return this.#patterns.find(({ pattern, route }) => route.method === method && fits(pattern, route, path))?.route ?? null
  }

  /** The methods that a path has. `OPTIONS *` asks about the host as a whole. */
  methodsAt(url: string): Set<string> {
    const path = pathOf(url)
    const fixed = [...this.#fixed.values()].filter((route) => path === '*' || route.url === path)
    const others = this.#patterns.filter(({ pattern, route }) => path === '*' || fits(pattern, route, path))
    return new Set([...fixed, ...others.map(({ route }) => route)].map(({ method }) => method))
  }
}

function fits(pattern: RegExp, { config }: KnownRoute, path: string): boolean {
  const match = pattern.exec(path)
  return match !== null && config.hasPath?.(match.groups ?? {}) !== false
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => (segment === '*' ? '.*' : segment.split(PARAMETER).map(patternPart).join('')))
  return new RegExp(`^${segments.join('/')}$`)
}

/** With or without a pattern of its own. */
const PARAMETER = /(:\w+)(?:\(.*?\))?/

const patternPart = (part: string): string => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : escapeRegExp(part))

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The name in metrics and log lines. Never the path itself: callers choose it, and metrics keep every name. */
export const operationName = (route: KnownRoute | null): string =>
  route === null ? 'unknown' : (route.config.operation ?? `${route.method} ${route.url}`)

/** A browser's question whether a page of another site may send a request. Such a page never sees why it failed. */
export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** As the router reads it: without query, and decoded, or `/%61sk` would be another path. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
