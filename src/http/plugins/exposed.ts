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
