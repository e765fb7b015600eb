import type { Localized } from '../../src/events/index.js'
import { tokenize } from '../../src/lib/tokenize.js'
import type { Creation } from './recorded-facts.js'

/** Exact, then without its last subtag, and so on; then English; then the first there is. Tags have no case. */
export function inLocale(text: Localized, locale: string): string {
  const byTag = new Map(Object.entries(text).map(([tag, value]) => [tag.toLowerCase(), value]))
  const subtags = locale.toLowerCase().split('-')
  for (let length = subtags.length; length > 0; length--) {
    const found = byTag.get(subtags.slice(0, length).join('-'))
    if (found !== undefined) return found
  }
  const [first] = Object.keys(text).sort()
  return byTag.get('en') ?? (first === undefined ? '' : (text[first] ?? ''))
}

/** Every word must occur. No words at all find nothing. */
export function matchesText(creation: Creation, q: string): boolean {
  const present = new Set([...Object.values(creation.title), ...Object.values(creation.description), ...creation.tags].flatMap(tokenize))
  const wanted = tokenize(q)
  return wanted.length > 0 && wanted.every((word) => present.has(word))
}

/** As every store sorts text. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
