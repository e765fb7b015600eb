import type { Language } from '../languages.js'

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
