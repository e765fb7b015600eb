import type { PostOptions } from '../options.js'

/** In quotes: bare keys may not hold spaces. */
export function keyHeader({ idempotencyKey }: PostOptions): Record<string, string> {
  if (idempotencyKey === undefined) return {}
  return { 'idempotency-key': `"${idempotencyKey.replaceAll(/["\\]/g, '\\$&')}"` }
}

/** Not `crypto.randomUUID`: pages without TLS do not have it. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
