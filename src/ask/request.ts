/** What can be asked: the body of an ask request, and the arguments of the ask tool. */

import { z } from 'zod'
import { schemaError } from '../contract/errors.js'
import { acceptedLanguages } from '../contract/locale.js'
import { isSupportedLocale } from './languages.js'
import { condense, MAX_READ } from './parse/condense.js'

export const MODES = ['list', 'summarize', 'generate'] as const
export type Mode = (typeof MODES)[number]

/** One question, in any of the forms below. */
export interface Question {
  /** Empty: nothing was asked, and the answer says what can be asked. */
  text: string
  /** What is read of earlier questions of the same conversation, the oldest first. */
  previous: readonly string[]
  mode: Mode
  /** Chosen by the caller: the language of the answer, if it is a supported one. */
  locale: string | null
  /** What the caller's program prefers. It decides if neither the caller nor the question does. */
  fallbackLocales: readonly string[]
  streaming: boolean
  queryId: string | null
  /** Whether the answer says why it comes from where it does. */
  debug: boolean
}

const MAX_TEXT = 2000
/** Older ones no longer say what "and in music?" is about. */
const MAX_PREVIOUS = 10

const text = z
  .string()
  .max(MAX_TEXT, `must be at most ${MAX_TEXT} characters`)
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')], 'must be true or false')
const mode = z
  .enum(MODES, `must be one of ${MODES.join(', ')}`)
  .meta({ description: 'How to answer: `list` the results, `summarize` them, or `generate` a sentence or two.' })
const turns = z.union([text, z.array(text).max(100)])

/** The forms of NLWeb, new and old. Everything is optional, unknown fields are ignored. */
export const AskRequest = z
  .object({
    query: z
      .union([text, z.object({ text: text.nullish(), site: z.string().nullish() })], `must be a question of at most ${MAX_TEXT} characters`)
      .nullish()
      .meta({ description: 'The question, as people ask it.' }),
    prefer: z
      .object({
        streaming: flag.nullish().meta({ description: 'True: the answer is sent as server-sent events.' }),
        mode: mode.nullish(),
        response_format: z.string().nullish(),
        'accept-language': z.string().max(200).nullish().meta({
          description: 'Language of the answer, a BCP-47 tag. Without one the language in the path decides, then that of the question.',
        }),
      })
      .nullish(),
    context: z
      .object({ prev: turns.nullish().meta({ description: 'Earlier questions, the oldest first.' }), text: text.nullish() })
      .nullish(),
    prev: turns.nullish().meta({ description: 'Older form of `context.prev`.' }),
    query_id: z.string().max(200).nullish().meta({ description: 'Comes back in the answer.' }),
    streaming: flag.nullish().meta({ description: 'Older form of `prefer.streaming`.' }),
    mode: mode.nullish(),
    debug: flag
      .nullish()
      .meta({ description: 'True: `_meta.debug` of the answer shows how well documentation and community fit the question.' }),
  })
  .meta({ id: 'AskRequest', description: 'A question in natural language. Every field is optional.' })
export type AskRequest = z.input<typeof AskRequest>

/** The path and the headers of a request. */
export interface LocaleHints {
  /** A locale in the path. One in the body wins. */
  locale?: string | undefined
  /** The value of Accept-Language. */
  acceptLanguage?: string | undefined
}

/** Turns a request body into a question; no body is a question, too. Throws a validation error. */
export function toQuestion(body: unknown, hints: LocaleHints = {}): Question {
  const parsed = AskRequest.safeParse(body ?? {})
  if (!parsed.success) throw schemaError('validation_failed', parsed.error.issues)
  const { query, prefer, context, ...flat } = parsed.data
  const chosen = [...acceptedLanguages(prefer?.['accept-language'] ?? ''), ...toList(hints.locale)]
  return {
    text: cleanText(typeof query === 'string' ? query : (query?.text ?? '')),
    previous: [...toList(context?.text), ...toList(context?.prev ?? flat.prev)]
      .slice(-MAX_PREVIOUS)
      .map(cleanText)
      .filter((turn) => turn !== '')
      // Cut here, because a job stores them. Up to two are understood as well, and each takes as long as the question.
      .map((turn) => condense(turn, MAX_READ / 2)),
    mode: prefer?.mode ?? flat.mode ?? 'generate',
    locale: chosen.find(isSupportedLocale) ?? chosen[0] ?? null,
    fallbackLocales: acceptedLanguages(hints.acceptLanguage ?? ''),
    streaming: prefer?.streaming ?? flat.streaming ?? false,
    queryId: flat.query_id || null,
    debug: flat.debug ?? false,
  }
}

/** More than any script puts on a letter; half-width sound marks become marks when they are normalized. Putting them in order takes time that grows with the square of their number. */
const TOO_MANY_MARKS = /([\p{M}\uFF9E\uFF9F]{16})[\p{M}\uFF9E\uFF9F]+/gu

/** Drops control characters and repeated spaces. */
const cleanText = (value: string): string =>
  writtenOut(value.replace(TOO_MANY_MARKS, '$1'))
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim()

/** A character may stand for a phrase of 18, which later steps write out: a text that grows so much is written out and cut here. */
function writtenOut(text: string): string {
  const full = text.normalize('NFKC')
  return full.length > 2 * text.length ? full.slice(0, MAX_TEXT).toWellFormed() : text
}

const toList = (turn: string | string[] | null | undefined): string[] => (turn == null ? [] : [turn].flat())

/** Ask as a tool of agents, on the MCP server and in the browser. */
export const ASK_TOOL = {
  name: 'ask',
  title: 'Ask',
  description:
    'Answers a question in words about the product (plans, credits, sign-in, limits, this API) or about what people have made and who made it. The answer is grounded: its citations contain every name and number in it, and when nothing supports an answer it says so.',
}

/** The plain part of an ask request: models fill in flat arguments best. */
export const AskToolInput = z.object({
  query: z
    .string()
    .min(1)
    .meta({ description: 'The question, as people ask it.', examples: ['What is trending in games?'] }),
  mode: mode.optional(),
  locale: z.string().optional().meta({ description: 'Language of the answer, a BCP-47 tag. Without one it is that of the question.' }),
  prev: z.array(z.string()).optional().meta({ description: 'Earlier questions of the same conversation, the oldest first.' }),
})
