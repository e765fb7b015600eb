import type { KeptAnswer } from '../http/idempotency/reply-store.js'

/** As it travels between processes, where messages are JSON. */
export interface PackedAnswer extends Omit<KeptAnswer, 'body'> {
  body: string
}

export const pack = ({ body, ...rest }: KeptAnswer): PackedAnswer => ({ ...rest, body: body.toString('base64') })

export const unpack = ({ body, ...rest }: PackedAnswer): KeptAnswer => ({ ...rest, body: Buffer.from(body, 'base64') })
