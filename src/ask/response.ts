/** What is sent: an answer, and an ask job with its state. */

import { z } from 'zod'
import { ErrorEnvelope } from '../contract/envelope.js'
import { ERROR_NAMES } from '../contract/errors.js'
import { MODES } from './request.js'

/** The revision of NLWeb that requests and responses follow. */
export const NLWEB_VERSION = '0.55'

export const Citation = z
  .object({
    id: z.string().meta({ description: 'Stable name of the passage.' }),
    title: z.string(),
    url: z.string().meta({ description: 'A page on which the snippet can be read.' }),
    snippet: z.string().meta({ description: 'Holds every number and name of the answer that comes from here.' }),
  })
  .meta({ id: 'AskCitation', description: 'Where a part of the answer can be read.' })
export type Citation = z.infer<typeof Citation>

/** A schema.org object. Which fields it has follows from its type. */
export const Result = z
  .looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string(), name: z.string(), url: z.string() })
  .meta({ id: 'AskResult', description: 'Something the answer is about, as a schema.org object.' })
export type Result = z.infer<typeof Result>

export const AskDebug = z
  .object({
    source: z.enum(['documentation', 'community', 'none']).meta({ description: 'Where the answer comes from.' }),
    passage: z.number().nullable().meta({ description: 'How much of the question the best passage covers, from 0 to 1.' }),
    search: z.number().nullable().meta({ description: 'How much of the question the best creation holds; null where none was looked up.' }),
  })
  .meta({ id: 'AskDebug', description: 'Why an answer comes from where it does. Its fields may change.' })
export type AskDebug = z.infer<typeof AskDebug>

const AskMeta = z.object({
  response_type: z.enum(['answer', 'elicitation', 'promise', 'failure']).meta({
    description: '`answer`; `elicitation` when nothing was asked; `failure` when nothing public answers the question.',
  }),
  version: z.string(),
  mode: z.enum(MODES),
  locale: z.string().meta({ description: 'Language of the answer.' }),
  position: z.int().nullable().meta({ description: 'Log position the live part of the answer reflects; null where there is none.' }),
  debug: AskDebug.optional().meta({ description: 'With `debug` in the request.' }),
})
export type AskMeta = z.infer<typeof AskMeta>

export const AskResponse = z
  .object({ query_id: z.string(), answer: z.string(), citations: z.array(Citation), results: z.array(Result), _meta: AskMeta })
  .meta({ id: 'AskResponse', description: 'A grounded answer with its citations.' })
export type AskResponse = z.infer<typeof AskResponse>

const streamMeta = AskMeta.pick({ version: true, mode: true, locale: true })

export const AskStartEvent = z
  .object({ message_type: z.literal('start'), _meta: streamMeta.extend({ streaming: z.literal(true) }) })
  .meta({ id: 'AskStartEvent', description: 'The first event of a streamed answer.' })

export const AskResultEvent = z
  .object({ message_type: z.literal('result'), index: z.int().nonnegative(), item: Result })
  .meta({ id: 'AskResultEvent', description: 'One of the results of a streamed answer.' })

const totalItems = { total_items: z.int().nonnegative().meta({ description: 'How many results came before.' }) }

export const AskCompleteEvent = AskResponse.omit({ results: true })
  .extend({ message_type: z.literal('complete'), _meta: AskMeta.extend(totalItems) })
  .meta({ id: 'AskCompleteEvent', description: 'The last event of a streamed answer.' })

export const AskFailureEvent = ErrorEnvelope.extend({
  message_type: z.literal('complete'),
  _meta: streamMeta.extend({ response_type: z.literal('failure'), ...totalItems }),
}).meta({ id: 'AskFailureEvent', description: 'The last event of a stream that failed: the error envelope.' })

export type AskEvent = z.infer<typeof AskStartEvent | typeof AskResultEvent | typeof AskCompleteEvent | typeof AskFailureEvent>

/** Why a live question has no answer. */
export type NotFoundReason = 'noCreator' | 'noCreation' | 'nothingFound'

/** An answer before it becomes a response. */
export interface Draft {
  type: AskMeta['response_type']
  answer: string
  citations: Citation[]
  results: Result[]
  /** A refusal, which is never rephrased. */
  verbatim?: true
  /** Where it is none of the languages of the texts. */
  locale?: string
  /** Log position of what was read; null if no model was read. */
  position: number | null
}

/** An ask job, without its outcome. */
const job = {
  job_id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  status_url: z.string().meta({ description: 'Where to ask how it stands: at most every five seconds, until it is completed or failed.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const AsyncAskJob = z.object(job).meta({ id: 'AsyncAskJob', description: 'A question that is answered in the background.' })
export type AsyncAskJob = z.infer<typeof AsyncAskJob>

export const AsyncAskJobStatus = z
  .object({
    ...job,
    result: AskResponse.optional().meta({ description: 'Once completed.' }),
    error: z
      .object({ code: z.int(), error: z.enum(ERROR_NAMES), message: z.string() })
      .optional()
      .meta({ description: 'Once failed.' }),
  })
  .meta({ id: 'AsyncAskJobStatus', description: 'How an ask job stands. Known for 24 hours.' })
export type AsyncAskJobStatus = z.infer<typeof AsyncAskJobStatus>
