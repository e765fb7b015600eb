import { type Localized, MAX_TAG_LENGTH } from '../events/index.js'
import { weightedValues } from '../lib/weighted-values.js'

export const DEFAULT_LOCALE = 'en'

/** RFC 5646 tags that ECMAScript rejects: private use only, and grandfathered ones. */
const GRANDFATHERED =
  /^(?:x(?:-[a-z0-9]{1,8})+|en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-(?:fr|nl)|ch-de))$/i

/** A language may be asked for in more detail than any text has. */
export const MAX_LOCALE_LENGTH = 64

/** Most of what is no tag, and soon told: an error of `Intl` takes a hundred times as long. */
const TAG = /^[a-z0-9]{1,8}(-[a-z0-9]{1,8})*$/i

export function isLocale(tag: string): boolean {
  if (tag.length > MAX_LOCALE_LENGTH || !TAG.test(tag)) return false
  if (GRANDFATHERED.test(tag)) return true
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Language tags of an `Accept-Language` value, the best first, without `*` and invalid tags. */
export function acceptedLanguages(header: string): string[] {
  return weightedValues(header)
    .filter(({ value, weight }) => weight > 0 && value !== '*' && isLocale(value))
    .sort((a, b) => b.weight - a.weight)
    .map(({ value }) => value)
}

/** RFC 4647 lookup: the exact tag, then shorter ones, then English, then any. */
export function bestLocale(available: readonly string[], wanted: string): string | null {
  for (let tag = wanted.toLowerCase(); tag !== ''; tag = truncateTag(tag)) {
    const match = available.find((candidate) => candidate.toLowerCase() === tag)
    if (match !== undefined) return match
  }
  return available.find((candidate) => candidate.toLowerCase() === DEFAULT_LOCALE) ?? available.toSorted()[0] ?? null
}

/** Cuts the last subtag, and then a single-letter subtag at the end. */
function truncateTag(tag: string): string {
  const cut = tag.lastIndexOf('-')
  if (cut < 0) return ''
  const rest = tag.slice(0, cut)
  return /-[a-z0-9]$/.test(rest) ? rest.slice(0, -2) : rest
}

/** Picks the text in the best language and remembers which languages it used. */
export class Localizer {
  readonly requested: string
  readonly #used = new Set<string>()

  constructor(requested: string) {
    this.requested = requested
  }

  text(byLocale: Localized): string {
    // The common case; the lookup below is slower.
    const direct = byLocale[this.requested]
    // hasOwn, because "toString" looks like a language tag and every object has one.
    if (direct !== undefined && Object.hasOwn(byLocale, this.requested)) {
      this.#used.add(this.requested)
      return direct
    }
    const locale = bestLocale(Object.keys(byLocale), this.requested)
    if (locale === null) return ''
    this.#used.add(locale)
    return byLocale[locale] ?? ''
  }

  /** For Content-Language: the one nearest to the requested language comes first. */
  get languages(): string[] {
    const used = [...this.#used].sort()
    const nearest = bestLocale(used, this.requested)
    const named = nearest === null ? [] : contentLanguages([nearest, ...used])
    return named.length > 0 ? named : [this.requested]
  }
}

/** More say little about a text, and clients refuse long headers. */
const MAX_CONTENT_LANGUAGES = 10

/** What `Content-Language` names: each language once, the most important first. */
export const contentLanguages = (languages: readonly string[]): string[] =>
  [...new Set(languages)].filter((tag) => tag.length <= MAX_TAG_LENGTH).slice(0, MAX_CONTENT_LANGUAGES)
