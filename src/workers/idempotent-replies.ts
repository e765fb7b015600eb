import type { BeginResult, ReplyStore, StoredReply } from '../ports/reply-store.js'
import type { RpcChannel } from './rpc-channel.js'

/** The reply store of a worker: the replies are in the supervisor, so that all workers share them. */
export const workerReplyStore = (channel: RpcChannel): ReplyStore => ({
  async begin(request): Promise<BeginResult> {
    const begun = await channel.call<Exclude<BeginResult, object> | EncodedReply>('begin', request)
    return typeof begun === 'string' ? begun : decodeReply(begun)
  },
  keep: (scope, answer) => channel.notify('keep', [scope, encodeReply(answer)]),
  forget: (scope) => channel.notify('forget', scope),
})

/** Messages between processes are JSON, so the body is base64. */
export interface EncodedReply extends Omit<StoredReply, 'body'> {
  body: string
}

export const encodeReply = ({ body, ...rest }: StoredReply): EncodedReply => ({ ...rest, body: body.toString('base64') })

export const decodeReply = ({ body, ...rest }: EncodedReply): StoredReply => ({ ...rest, body: Buffer.from(body, 'base64') })
