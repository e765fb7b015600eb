/** Questions are shorter than this; what is longer is a message with a question in it. */
export const MAX_READ = 320
/** A longer run of letters is no word of any of our languages. */
const MAX_WORD = 50

/**
 * What is read of a message: a long one is reduced to its questions and what stands around them, and if nothing in it asks,
 * to its beginning and end. So a long message takes hardly more work than a short one.
 */
export function condense(text: string, max = MAX_READ): string {
  const plain = text.replace(LONG_WORD, '$1')
  if (plain.length <= max) return plain
  const sentences = plain.split(SENTENCE_BREAK)
  const asking = sentences.flatMap((sentence, place) => (QUESTION_END.test(sentence) ? [place] : []))
  return asking.length === 0 ? bothEnds(plain, max) : withContext(sentences, asking, max)
}

/** Latin only: scripts without spaces have no end of a word to see. */
const LONG_WORD = new RegExp(`([\\p{Script=Latin}\\p{N}_]{${MAX_WORD}})[\\p{Script=Latin}\\p{N}_]+`, 'gu')
const SENTENCE_BREAK = /(?<=[.!?…])\s+|(?<=[。！？])/u
const QUESTION_END = /[?？]["'”»」』)\s]*$/u

/** The last question is the one that is meant, then those before it; then the sentences nearest to it. */
function withContext(sentences: readonly string[], asking: readonly number[], max: number): string {
  const last = asking.at(-1) ?? 0
  const asked = new Set(asking)
  const others = [...sentences.keys()].filter((place) => !asked.has(place)).sort((a, b) => Math.abs(a - last) - Math.abs(b - last))
  const read = new Map<number, string>()
  let left = max
  for (const place of [...asking.toReversed(), ...others]) {
    const sentence = bothEnds(sentences[place] ?? '', left)
    read.set(place, sentence)
    left -= sentence.length + 1
    if (left < MIN_PART) break
  }
  return [...read]
    .sort(([a], [b]) => a - b)
    .map(([, sentence]) => sentence)
    .join(' ')
}

/** Less of a sentence would say nothing. */
const MIN_PART = 20

/** A text as it is, or its beginning and its end. */
function bothEnds(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 1) / 2)
  // The cut may go through a character of two units.
  return `${text.slice(0, half)} ${text.slice(-half)}`.toWellFormed()
}
