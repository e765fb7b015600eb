import type { Question } from '../../ask/request.js'
import { type AskResponse, NLWEB_VERSION } from '../../ask/response.js'
import { toServiceError } from '../plugins/error-response.js'

/** An answer as server-sent events. The type stands in the data too, for clients that read only that. */
export async function* askEvents(
  { mode }: Question,
  answer: () => Promise<AskResponse>,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  yield event('start', { _meta: { response_type: 'answer', version: NLWEB_VERSION, mode, streaming: true } })
  let response: AskResponse
  try {
    response = await answer()
  } catch (error) {
    failed(error)
    // The status has been sent long ago: the failure can only be said here.
    const { error: name, message } = toServiceError(error)
    yield event('complete', { _meta: { response_type: 'failure', version: NLWEB_VERSION, mode, total_items: 0 }, error: name, message })
    return
  }
  const { results, _meta, ...rest } = response
  for (const [index, item] of results.entries()) yield event('result', { index, item })
  yield event('complete', { ...rest, _meta: { ..._meta, total_items: results.length } })
}

const event = (name: 'start' | 'result' | 'complete', data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ message_type: name, ...data })}\n\n`
