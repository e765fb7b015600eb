import { tokens } from '../../../readmodels/tokens.js'
import type { Language } from '../languages.js'
import { isCommon } from '../words/common.js'

/** The words of a question or a passage that carry meaning, as the index knows them. */
export function terms(text: string, language: Language): string[] {
  const spelled = wholeNumbers(language === 'ja' ? text.replace(POLITE, ' ') : text)
  const words = language === 'ja' ? spelled : withoutCommon(spelled, language)
  const found = tokens(words)
  return language === 'ja' ? found.filter((word) => !isCommon('ja', word) && !LONE_KANA.test(word)) : found
}

/** Before stemming, which would turn "does" into "doe". */
function withoutCommon(text: string, language: Language): string {
  return text.replace(/[\p{L}\p{M}'’]+/gu, (word) => (isCommon(language, word.toLowerCase().replace(/['’].*$/, '')) ? ' ' : word))
}

/** How Japanese questions end; the segmenter would make words of it. */
const POLITE =
  /(?:は|が|を|って)?(?:ありますか|ありませんか|なんですか|何ですか|ですか|でしょうか|できますか|できるの|ますか|てください|ください|下さい|教えて|ですか)[？?。！]*/gu

const LONE_KANA = /^[\p{Script=Hiragana}]$/u

/** "10,000", "10.000", "10 000" and "10k" are one number. */
export function wholeNumbers(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/(?<=\d)[.,'’\s](?=\d{3}(?!\d))/gu, '')
    .replace(/\b(\d{1,3})\s?k\b/giu, '$1000')
}
