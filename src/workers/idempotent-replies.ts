/** A worker's side of what it shares with the others. */
import type { AnswerKeeper, Begun } from '../http/idempotency/reply-store.js'
import { type PackedAnswer, pack, unpack } from './packed-answer.js'
import type { Line } from './rpc-channel.js'

export const sharedAnswers = (line: Line): AnswerKeeper => ({
  async begin(request): Promise<Begun> {
    const begun = await line.ask<Exclude<Begun, object> | PackedAnswer>('begin', request)
    return typeof begun === 'string' ? begun : unpack(begun)
  },
  keep: (scope, answer) => line.tell('keep', [scope, pack(answer)]),
  forget: (scope) => line.tell('forget', scope),
})
