import { z } from 'zod'

/** Text written by people: well-formed Unicode, no control characters except tab and line breaks. */
export const text = (max: number) => z.string().max(max).refine(isPlainText, 'must be well-formed Unicode without control characters')

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function isPlainText(value: string): boolean {
  return value.isWellFormed() && !CONTROL.test(value)
}

/** Only web addresses: a `javascript:` link in an event must never reach a page. */
export const webUrl = z.string().max(2048).refine(isWebUrl, 'must be an http or https address')

function isWebUrl(value: string): boolean {
  if (!/^https?:\/\/[^\s"'<>\\]+$/.test(value)) return false
  return URL.canParse(value)
}

const localeTag = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a BCP-47 tag')

/** The same text in several languages, keyed by BCP-47 tag. */
export const localized = (max: number) =>
  z.record(localeTag, text(max)).refine((byLocale) => {
    const count = Object.keys(byLocale).length
    return count >= 1 && count <= 40
  }, 'must hold 1 to 40 locales')

export type Localized = Record<string, string>
