import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a path that has the route's shape is one of its paths. Default: it is. */
    hasPath?: (parameters: Readonly<Record<string, string>>) => boolean
  }
}

interface Route {
  pattern: RegExp
  methods: readonly string[]
  hasPath: (parameters: Readonly<Record<string, string>>) => boolean
}

/**
 * Unknown paths are 404 for every method. Known paths with another method are 405 with `Allow`, and OPTIONS is answered with
 * `Allow` alone.
 */
export function rejectUnknownRoutes(app: FastifyInstance): void {
  const routes: Route[] = []

  app.addHook('onRoute', ({ url, method, config }) => {
    if (url === '*') return
    routes.push({ pattern: patternOf(url), methods: [method].flat(), hasPath: config?.hasPath ?? (() => true) })
  })

  // Before the body is read: no upload is needed to learn that.
  app.addHook('onRequest', async (request, reply) => {
    const { is404, method, routeOptions, params } = request
    const isOptions = method === 'OPTIONS'
    // The router has filled in the parameters of the route it found.
    if (!is404 && !isOptions && routeOptions.config.hasPath?.(params as Record<string, string>) !== false) return
    const methods = methodsAt(routes, request.url)
    if (methods.size === 0) throw new ServiceError('not_found', 'There is nothing at this path.')
    const allowed = [...methods.add('OPTIONS')].join(', ')
    reply.header('Allow', allowed)
    if (isOptions) return reply.status(204).send()
    throw new ServiceError('invalid_request', `${method} is not possible here, only ${allowed}.`, { status: 405 })
  })
}

function methodsAt(routes: readonly Route[], url: string): Set<string> {
  const path = decodedPath(url)
  // `OPTIONS *` asks about the host as a whole.
  const found = path === '*' ? routes : routes.filter(({ pattern, hasPath }) => fits(pattern.exec(path), hasPath))
  return new Set(found.flatMap(({ methods }) => methods))
}

const fits = (match: RegExpExecArray | null, hasPath: Route['hasPath']): boolean => match !== null && hasPath(match.groups ?? {})

/** As the router sees it: without host and query, and with a slash in a name still escaped. */
function decodedPath(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) =>
      segment === '*'
        ? '.*'
        : segment
            .split(/(:\w+)(?:\(.*?\))?/)
            .map(patternPart)
            .join(''),
    )
    .join('/')
  return new RegExp(`^${source}$`)
}

const patternPart = (part: string): string => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : escapeRegExp(part))

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
