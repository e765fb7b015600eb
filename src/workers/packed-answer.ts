import type { StoredReply } from '../http/idempotency/reply-store.js'

/** As it travels between processes, where messages are JSON. */
export interface EncodedReply extends Omit<StoredReply, 'body'> {
  body: string
}

export const encodeReply = ({ body, ...rest }: StoredReply): EncodedReply => ({ ...rest, body: body.toString('base64') })

export const decodeReply = ({ body, ...rest }: EncodedReply): StoredReply => ({ ...rest, body: Buffer.from(body, 'base64') })
