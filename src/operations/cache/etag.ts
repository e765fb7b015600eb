import { createHash } from 'node:crypto'

/** An entity tag: the same for the same bytes, in whichever process. */
export const etagOf = (body: string | Buffer): string => `"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
