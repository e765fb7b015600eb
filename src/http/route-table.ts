import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod } from 'find-my-way'

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

/** The routes of a host, found as Fastify finds them, for what has to be known of a request before. */
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: Number.POSITIVE_INFINITY })
  readonly #methods = new Set<HTTPMethod>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ method: methods, url, config = {} }) => {
      if (url === '*') return
      // Fastify has refused what its router does not know.
      for (const method of [methods].flat() as HTTPMethod[]) {
        this.#methods.add(method)
        this.#router.on(method, url, () => {}, { method, url, config } satisfies KnownRoute)
      }
    })
  }

  /** `null` if there is none, for this method at least. A parameter that is empty is no path of the route. */
  find(method: string, url: string): KnownRoute | null {
    const found = this.#router.find(method as HTTPMethod, url)
    if (found === null) return null
    for (const name in found.params) if (found.params[name] === '' && name !== '*') return null
    const route: KnownRoute = found.store
    return route.config.hasPath?.(found.params as Record<string, string>) === false ? null : route
  }

  /** The methods that a path has. `OPTIONS *` asks about the host as a whole. */
  methodsAt(url: string): Set<string> {
    return new Set([...this.#methods].filter((method) => url === '*' || this.find(method, url) !== null))
  }
}

/** The name in metrics and log lines. Never the path itself: callers choose it, and metrics keep every name. */
export const operationName = (route: KnownRoute | null): string =>
  route === null ? 'unknown' : (route.config.operation ?? `${route.method} ${route.url}`)

/** A browser's question whether a page of another site may send a request. Such a page never sees why it failed. */
export const isPreflight = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
