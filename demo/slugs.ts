import type { Language } from './words/index.js'

/** The path segment of a title: its plain letters and digits, joined by hyphens. Empty for scripts without Latin letters. */
export function slugOf(title: string, language: Language): string {
  return plainLetters(title, language)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '')
}

/** Lower case without accents; German spells its umlauts out. */
export function plainLetters(text: string, language: Language): string {
  const lower = text.toLowerCase()
  const spelled = language === 'de' ? lower.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter) : lower
  return spelled
    .replace(/[łøıßæđð]/g, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
}

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Letters that Unicode does not take apart into a base letter and a mark. */
const WHOLE_LETTERS: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', đ: 'd', ð: 'd' }
