import { extname } from 'node:path'
import type { FastifyRequest } from 'fastify'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'
/** For responses that may be compressed. */
export const VARY = { Vary: 'Accept-Encoding' }

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': JSON_TYPE,
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** By the extension of a file. */
export const contentTypeOf = (file: string): string => CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'

/** For everything but pages: opened on its own, a response runs nothing, loads nothing and cannot be framed. Pages set their own. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** For a year, and without subdomains: other services of the domain are not ours to decide for. */
export const TLS_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Strict-Transport-Security': 'max-age=31536000',
}

/** TLS ends at the proxy, so `protocol` is what the proxy says. */
export const securityHeaders = ({ protocol }: FastifyRequest): Readonly<Record<string, string>> =>
  protocol === 'https' ? TLS_SECURITY_HEADERS : SECURITY_HEADERS

/** Headers that scripts of other sites may read. */
const EXPOSED_HEADERS = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Location',
  'Idempotency-Replayed',
  'Service-API-Version',
  'Service-Position',
  'X-Request-Id',
  'Content-Language',
  'Deprecation',
  'Sunset',
  'Link',
]

export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
}
