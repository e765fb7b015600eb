import { z } from 'zod'
import { marked, words } from './words.js'

/** Ids become part of log subjects, document ids and URLs, so only characters that need no escaping in any of them. */
const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')

/** The id of an aggregate of your own. */
export const id = marked(opaqueId, 'id')

/** The people the data are about: their words go with them. */
export const CreatorId = marked(opaqueId, 'person').brand<'CreatorId'>()
export type CreatorId = z.infer<typeof CreatorId>

export const CreationId = marked(opaqueId, 'id').brand<'CreationId'>()
export type CreationId = z.infer<typeof CreationId>

/** A handle is the subdomain label of the creator's public address. */
export const Handle = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/, 'must be a DNS label')
  .brand<'Handle'>()
export type Handle = z.infer<typeof Handle>

/** A slug is one path segment. It starts and ends with a letter or digit, so it can never be "." or "..". */
export const Slug = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,98}[A-Za-z0-9])?$/, 'must be a URL path segment')
  .brand<'Slug'>()
export type Slug = z.infer<typeof Slug>

export const CategorySlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by "-"')
  .brand<'CategorySlug'>()
export type CategorySlug = z.infer<typeof CategorySlug>

/** Handles are compared without case. Only A to Z are folded: full Unicode folding would make the Kelvin sign equal to "k". */
export const handleKey = (handle: string): string => handle.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

// The rules below are patterns, so that the AsyncAPI document says them, too. With the flag `u`, as JSON Schema reads patterns, a
// surrogate is only matched when it is a lone one.
const NO_LONE_SURROGATE = /^[^\ud800-\udfff]*$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const PLAIN_TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]*$/u
/**
 * Leaves out what the URL standard never allows in a host; its parser says the rest. It drops control characters at the end, and
 * logs may hold such addresses.
 */
const WEB_ADDRESS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  /^https?:\/\/\/*(?:[^\s"'<>\\/?#\ud800-\udfff]*@)?(?:\[[0-9A-Fa-f:.]+\][\u0000-\u0008\u000e-\u001f]*|[^\s"'<>\\/?#@:[\]^|\ud800-\udfff]+)(?::[0-9\u0000-\u0008\u000e-\u001f]*)?(?:[/?#][^\s"'<>\\\ud800-\udfff]*)?$/u

/** Text without lone surrogates. */
export const wellFormed = (max: number) => z.string().max(max).regex(NO_LONE_SURROGATE, 'must be well-formed Unicode')

/** Text written by people: well-formed Unicode, no control characters except tab and line breaks. */
export const text = (max: number) =>
  words(z.string().max(max).regex(PLAIN_TEXT, 'must be well-formed Unicode without control characters'), '')

/** Only web addresses: a `javascript:` link in an event must never reach a page. */
export const webUrl = z
  .string()
  .max(2048)
  .regex(WEB_ADDRESS, 'must be an http or https address')
  .refine((value) => URL.canParse(value), 'must be an http or https address')

/** By RFC 5646, section 4.4.1, every tag in use fits in 35 characters. */
export const MAX_TAG_LENGTH = 35

const MAX_LANGUAGES = 40
/** Of at most MAX_TAG_LENGTH characters, and of more. */
const SHORT_TAG = /^(?=.{2,35}$)[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const LONG_TAG = /^[\s\S]{36,}$/

const localeTag = z.string().regex(SHORT_TAG, 'must be a BCP-47 tag')

/** The same text in several languages, keyed by BCP-47 tag. Texts under longer tags are dropped: the other languages are still good. */
export const localized = (max: number) =>
  z
    .preprocess(
      dropLongTags,
      z.record(localeTag, text(max)).refine((byLocale) => {
        const count = Object.keys(byLocale).length
        return count >= 1 && count <= MAX_LANGUAGES
      }, `must hold 1 to ${MAX_LANGUAGES} locales`),
    )
    .meta({
      // JSON Schema for the input, from which long tags have not been dropped yet.
      propertyNames: { anyOf: [{ pattern: SHORT_TAG.source }, { pattern: LONG_TAG.source }] },
      patternProperties: { [SHORT_TAG.source]: { type: 'string', maxLength: max, pattern: PLAIN_TEXT.source } },
      additionalProperties: true,
      not: {
        anyOf: [
          { propertyNames: { pattern: LONG_TAG.source } },
          { minProperties: MAX_LANGUAGES + 1, propertyNames: { pattern: SHORT_TAG.source } },
        ],
      },
    })

function dropLongTags(byLocale: unknown): unknown {
  if (typeof byLocale !== 'object' || byLocale === null || Array.isArray(byLocale)) return byLocale
  if (Object.keys(byLocale).every(isShortTag)) return byLocale
  return Object.fromEntries(Object.entries(byLocale).filter(([tag]) => isShortTag(tag)))
}

const isShortTag = (tag: string): boolean => tag.length <= MAX_TAG_LENGTH

export type Localized = Record<string, string>
