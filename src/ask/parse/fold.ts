/** Names as they are compared: without case, accents and whatever is no letter or digit. */
export const normalizeName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Scripts that put no spaces between words, so that a name may stand anywhere in a run of letters. */
export const hasUnspacedScript = (text: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
