import type { FastifyRequest } from 'fastify'
import { de } from '../../../../content/pages/de.js'
import { en, type PageTexts } from '../../../../content/pages/en.js'
import { es } from '../../../../content/pages/es.js'
import { ja } from '../../../../content/pages/ja.js'
import { acceptedLanguages, bestLocale, DEFAULT_LOCALE, isLocale } from '../../../contract/locale.js'
import type { Site } from '../../../contract/public-urls.js'

export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** The texts of the pages. The type comes from the English ones. */
export const TEXTS: Record<Language, PageTexts> = { en, es, de, ja }

const formatsIn = (language: Language) => ({
  number: new Intl.NumberFormat(language),
  count: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
  date: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
})

/** Made once: a page writes a hundred numbers, and a format takes longer to make than to use. */
const FORMATS = { en: formatsIn('en'), es: formatsIn('es'), de: formatsIn('de'), ja: formatsIn('ja') }

/** Four links repeat the address, with five characters for each that has to be escaped. */
const MAX_REPEATED = 300
const ESCAPED = /[^\w\-./?=%~:+]/g

export type Query = Record<string, string | null | undefined>

/** One request for a page: its language, and where links lead from it. */
export class PageContext {
  readonly site: Site
  /** The language wanted for creations. */
  readonly locale: string
  /** The language of the page itself: one of ours. */
  readonly language: Language
  readonly texts: PageTexts
  /** The creator whose subdomain was requested, if any. */
  readonly #subdomainHandle: string | null
  /** Chosen with `?locale=`; links keep it. */
  readonly chosenLocale: string | null
  readonly #isShort: boolean
  readonly #path: string
  readonly #query: URLSearchParams

  constructor(request: Pick<FastifyRequest, 'originalUrl' | 'url' | 'headers'>, site: Site) {
    this.#isShort = request.originalUrl.replace(ESCAPED, '&#39;').length <= MAX_REPEATED
    const [path = '/', query = ''] = request.originalUrl.split(/\?(.*)/s)
    this.site = site
    this.#path = path
    this.#query = new URLSearchParams(query)
    this.#subdomainHandle = request.originalUrl === request.url ? null : (/^\/@([^/?]+)/.exec(request.url)?.[1] ?? null)
    const chosen = this.#query.get('locale')
    this.chosenLocale = chosen !== null && isLocale(chosen) ? chosen : null
    this.locale = this.chosenLocale ?? acceptedLocale(request.headers['accept-language'] ?? '')
    this.language = languageOf(this.locale)
    this.texts = TEXTS[this.language]
  }

  /** A URL on the web host. */
  href(path: string, query: Query = {}): string {
    const address = this.#subdomainHandle === null ? path : this.site.webUrl + path
    return withQuery(address, { ...query, locale: this.chosenLocale })
  }

  creatorUrl(handle: string): string {
    if (this.#isOnSubdomainOf(handle)) return withQuery('/', { locale: this.chosenLocale })
    return this.href(`/@${encodeURIComponent(handle)}`)
  }

  creationUrl(handle: string, slug: string): string {
    if (this.#isOnSubdomainOf(handle)) return withQuery(`/${encodeURIComponent(slug)}`, { locale: this.chosenLocale })
    return this.href(`/@${encodeURIComponent(handle)}/${encodeURIComponent(slug)}`)
  }

  /** This page in another language; the first page instead of an address that no page has, which may be as long as a head. */
  urlInLanguage(language: Language): string {
    if (!this.#isShort) return withQuery('/', { locale: language })
    const query = new URLSearchParams(this.#query)
    query.set('locale', language)
    return `${this.#path.startsWith('//') ? '/' : this.#path}?${query}`
  }

  number(value: number): string {
    return FORMATS[this.language].number.format(value)
  }

  /** Short enough for a card: 12,345 is 12K. */
  count(value: number): string {
    return FORMATS[this.language].count.format(value)
  }

  date(moment: string): string {
    return FORMATS[this.language].date.format(new Date(moment))
  }

  #isOnSubdomainOf(handle: string): boolean {
    return this.#subdomainHandle?.toLowerCase() === handle.toLowerCase()
  }
}

export function withQuery(address: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '')
  return given.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/** The first accepted language that pages exist in; if there is none, the first accepted one. */
function acceptedLocale(header: string): string {
  const accepted = acceptedLanguages(header)
  return accepted.find((tag) => isSupported(tag)) ?? accepted[0] ?? DEFAULT_LOCALE
}

const languageOf = (locale: string): Language => LANGUAGES.find((language) => language === bestLocale(LANGUAGES, locale)) ?? 'en'

/** `bestLocale` falls back to English, which is a match only if English was asked for. */
const isSupported = (tag: string): boolean => tag.toLowerCase().startsWith('en') || languageOf(tag) !== 'en'
