import { tokenize } from '../../lib/tokenize.js'
import type { Language } from '../languages.js'
import { editDistance } from './similarity.js'

const list = (words: string): ReadonlySet<string> => new Set(tokenize(words))

/**
 * Words that say how something is asked rather than what about. A passage that has them fits a little better; one that
 * lacks them fits no worse, and nobody searches the community for them.
 */
const VAGUE: Record<Language, ReadonlySet<string>> = {
  en: list(`
    able after ago allow allowed allows always away bad big bit coming community currently day days during else even far gets give go goes
    going gone good happen happens hold keep largest later let lets long longer look lot lots maybe mean means moment
    new next ok part people person place platform point possible pretty put run running second site soon stuff support
    supported supports talk today tonight total totally try useful vitrine week whole work worth yesterday folks peeps everyone
    currently made around overall ever recommend suggest interesting fun cool popular world browse browsing explore
  `),
  es: list(`
    comunidad tiempo tiempos total gente personas momento hoy ayer semana ahora actualmente permite permiten deja dejar pasa pasar sirve sirven sitio
    plataforma bueno buena buenos grande mayor largo después luego antes sigue ver existe existen
    interesante divertido vitrine mundo hechas hechos hecho posible vale merece pena soporta admite
  `),
  de: list(`
    community insgesamt zeit zeiten leute personen moment heute gestern woche gerade aktuell derzeit momentan lässt lassen erlaubt passiert geht gehen
    seite plattform gut gute gutes groß größte größtes lang lange danach vorher sehen existiert existieren interessant lustig vitrine
    welt öffentlich gemacht möglich lohnt unterstützt unterstützen bestes beste besten jetzt
  `),
  ja: list(
    'コミュニティ 多い 多く 高い 一番 最も もっとも 人たち 全体 合計 今 現在 今日 昨日 今週 今月 サイト みんな 面白い おもしろい 良い いい 可能 使う 見る 全部 どんな いくつ 場合',
  ),
}

/** Whether a word, as the search sees words, is one of them, or one of them with a slip. */
export function isVague(language: Language, term: string): boolean {
  const words = VAGUE[language]
  if (words.has(term)) return true
  if (language === 'ja' || term.length < 7) return false
  return [...words].some((word) => word.length > 6 && word[0] === term[0] && editDistance(term, word, 1) <= 1)
}
