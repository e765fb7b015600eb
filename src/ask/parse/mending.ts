import type { Language } from '../languages.js'
import { editDistance } from './similarity.js'
import { isStopWord } from './word-lists.js'

/** Words that decide what is asked: a slip in one of them must not change the question. */
const INTENT_WORDS: Record<Language, readonly string[]> = {
  en: 'trending newest latest popular recent tagged tags category categories followers following remixes remixed liked leaderboard featured creator games trackers widgets experiences'.split(
    ' ',
  ),
  es: 'tendencia tendencias nuevos nuevas recientes populares etiquetas etiquetadas categorías seguidores remezclas juegos destacadas destacados clasificación'.split(
    ' ',
  ),
  de: 'beliebtesten beliebt neuesten neueste kategorien follower remixe spiele bestenliste empfohlen getaggt angesagt'.split(' '),
  ja: [],
}

/** The question with slips in its deciding words put right. */
export function correctIntentWords(text: string, language: Language): string {
  return text.replace(/\p{L}{5,}/gu, (word) => {
    const known = INTENT_WORDS[language]
    if (known.includes(word) || isStopWord(language, word)) return word
    const slips = word.length >= 8 ? 2 : 1
    return (
      known.find(
        (candidate) => candidate[0] === word[0] && candidate.at(-1) === word.at(-1) && editDistance(word, candidate, slips) <= slips,
      ) ?? word
    )
  })
}
