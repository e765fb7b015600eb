/** A worker's side of what it shares with the others. */
import type { ReplyStore, BeginResult } from '../http/idempotency/reply-store.js'
import { type EncodedReply, encodeReply, decodeReply } from './packed-answer.js'
import type { RpcChannel } from './rpc-channel.js'

export const workerReplyStore = (channel: RpcChannel): ReplyStore => ({
  async begin(request): Promise<BeginResult> {
    const begun = await channel.call<Exclude<BeginResult, object> | EncodedReply>('begin', request)
    return typeof begun === 'string' ? begun : decodeReply(begun)
  },
  keep: (scope, answer) => channel.notify('keep', [scope, encodeReply(answer)]),
  forget: (scope) => channel.notify('forget', scope),
})
