import type { Language } from '../languages.js'

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

/** The question in a message and its context: "My card was refused. Where else can I pay?" */
export interface SplitMessage {
  question: string
  context: readonly string[]
}

/** Where a clause ends. There is none inside "prefer.streaming" or "3.5". */
const CLAUSE_BREAK = /(?<=[.!?…])\s+|(?<=[。！？])|(?=¿)|:\s+|;\s+/u

/** A question starts with one of these, also after a comma: "got a 422, should I try again". */
const QUESTION_STARTS: Record<Language, RegExp> = {
  en: /^(?:and |so |but |ok |hey )?(?:how|what|whats|which|where|when|why|who|whose|can|could|should|may|must|do|does|did|is|are|will|would)\b/iu,
  es: /^(?:¿|(?:y |pero |entonces )?(?:cómo|qué|cuál|cuáles|cuánt[oa]s?|dónde|cuándo|quién|por qué|puedo|se puede|debo|hay)(?!\p{L}))/iu,
  de: /^(?:und |aber |also )?(?:wie|was|wo|wann|warum|wieso|wer|wem|woran|womit|wohin|welche[rsnm]?|kann|darf|muss|soll|gibt|geht|ist|sind)(?!\p{L})/iu,
  ja: /^(?:何|どの|どう|どこ|いつ|なぜ|誰|いくら)/u,
}

/** A clause that only says when or why; the question comes after it. */
const JAPANESE_CLAUSE = /(?<=(?:とき|時|場合|ので|けど|が|たら|れば|ですが|から))[、,]/u

export function splitMessage(text: string, language: Language): SplitMessage {
  const pieces = text
    .split(CLAUSE_BREAK)
    .flatMap((piece) => clausesOf(piece.trim(), language))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
  const asks = (piece: string) => /[?？]\W*$/u.test(piece) || QUESTION_STARTS[language].test(piece)
  const asking = pieces.filter(asks)
  if (asking.length === 0 || asking.length === pieces.length) return { question: text, context: [] }
  return { question: asking.join(' '), context: pieces.filter((piece) => !asks(piece)) }
}

/** Only clauses before the question are context; a message that starts with the question has none. */
function clausesOf(piece: string, language: Language): string[] {
  if (language === 'ja') return piece.split(JAPANESE_CLAUSE)
  if (QUESTION_STARTS[language].test(piece)) return [piece]
  const clauses = piece.split(/,\s+/u)
  const first = clauses.findIndex((clause) => QUESTION_STARTS[language].test(clause))
  return first <= 0 ? [piece] : [clauses.slice(0, first).join(', '), clauses.slice(first).join(', ')]
}
