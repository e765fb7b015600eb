import type { FastifyRequest } from 'fastify'

/** For what is no page: even opened on its own it runs nothing, loads nothing and is framed by nobody. Pages say what they need instead. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** A year, and only for the name that was asked: what else lives under the domain is not ours to decide. */
export const TLS_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Strict-Transport-Security': 'max-age=31536000',
}

/** What every answer carries. TLS ends at the proxy, so it is the proxy that says whether there was any. */
export const securityHeaders = ({ protocol }: FastifyRequest): Readonly<Record<string, string>> =>
  protocol === 'https' ? TLS_SECURITY_HEADERS : SECURITY_HEADERS

/** What pages of other sites may read. */
export const EXPOSED_HEADERS = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
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
