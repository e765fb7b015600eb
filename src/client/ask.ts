import type { AskCompleteEvent, AskRequest, AskResponse, AskResultEvent, AskStartEvent } from './api.js'
import { apiErrorIn, ConnectionError, UnexpectedAnswerError } from './errors.js'
import type { PostOptions } from './options.js'
import { EventStreamParser } from './transport/event-stream.js'
import type { Exchange } from './transport/exchange.js'
import type { Http, Request } from './transport/http.js'
import { isObject, parsedJson } from './transport/json.js'
import { keyHeader } from './transport/post-headers.js'

/** A question in words, or with everything that can be said about how to answer it. */
export type Question = string | AskRequest

/** What a streamed answer is made of, in this order. A failure is an error, not an event. */
export type AskEvent = AskStartEvent | AskResultEvent | AskCompleteEvent

export function askRequest(url: string, question: Question, options: PostOptions, streaming = false): Request {
  const { streaming: _, ...asked } = typeof question === 'string' ? { query: question } : question
  const headers = { ...keyHeader(options), ...(streaming ? { accept: 'text/event-stream' } : {}) }
  return { method: 'POST', url, headers, body: { ...asked, prefer: { ...asked.prefer, streaming } } }
}

export async function ask(http: Http, url: string, question: Question, options: PostOptions): Promise<AskResponse> {
  const { body } = await http.json(askRequest(url, question, options), options)
  if (!isAnswer(body)) throw new UnexpectedAnswerError('the answer to the question has no text', 200)
  return body
}

export const isAnswer = (body: unknown): body is AskResponse => isObject(body) && typeof body.answer === 'string'

/** Retried until the first event has come: later, the caller would get events twice. */
export async function* askStream(http: Http, url: string, question: Question, options: PostOptions): AsyncGenerator<AskEvent, void, void> {
  const { response, exchange } = await http.stream(askRequest(url, question, options, true), options)
  try {
    const type = response.headers.get('content-type')
    if (!/^text\/event-stream\b/i.test(type ?? ''))
      throw new UnexpectedAnswerError(`the answer is not an event stream but ${type ?? 'of no type'}`, response.status)
    for await (const data of eventData(response, exchange, http.maxBytes)) {
      // Events that have come already are no longer wanted, either.
      options.signal?.throwIfAborted()
      if (isAskEvent(data)) {
        exchange.stopTime()
        yield data
        exchange.restartTime()
      }
      if (isObject(data) && data.message_type === 'complete') return
    }
    throw new ConnectionError('no complete answer: the stream ended before the event "complete"')
  } finally {
    exchange.end()
  }
}

/** The parsed data of every event. Throws the error that one of them holds. */
async function* eventData(response: Response, exchange: Exchange, maxBytes: number): AsyncGenerator<unknown, void, void> {
  const parser = new EventStreamParser()
  const decoder = new TextDecoder()
  for await (const part of exchange.bytes(response, maxBytes)) {
    for (const data of parser.push(decoder.decode(part, { stream: true }))) {
      const parsed = parsedJson(data)
      if (!isObject(parsed)) throw new UnexpectedAnswerError('an event of the stream is not a JSON object', response.status)
      const failure = apiErrorIn(parsed)
      if (failure !== null) throw failure
      yield parsed
    }
  }
}

/** The API is additive: events of other types are skipped. */
const isAskEvent = (data: unknown): data is AskEvent =>
  isObject(data) && (data.message_type === 'start' || data.message_type === 'result' || data.message_type === 'complete')
