import { rows } from './table.js'
import { IDLE_TOPICS } from './topics-idle.js'
import { MAKING_TOPICS } from './topics-making.js'
import { OUTDOOR_TOPICS } from './topics-outdoor.js'

/** What a creation is about, in the shapes that the patterns of each language need. */
export interface Topic {
  /** Before another noun: "Night Train". */
  enName: string
  /** Alone, as plural or uncountable: "night trains". */
  enNoun: string
  /** Plural or uncountable, without and with its article: "trenes nocturnos", "los trenes nocturnos". */
  es: string
  esWithArticle: string
  /** First part of a compound: "Nachtzug". */
  deStem: string
  /** Plural or uncountable, as an accusative: "Nachtzüge". */
  deNoun: string
  ja: string
}

/** Topics by category slug. */
export const TOPICS: ReadonlyMap<string, readonly Topic[]> = new Map(
  Object.entries({ ...MAKING_TOPICS, ...OUTDOOR_TOPICS, ...IDLE_TOPICS }).map(([category, table]) => [category, rows(table, 6).map(topic)]),
)

function topic(cells: string[]): Topic {
  const [enName = '', enNoun = '', esWithArticle = '', deStem = '', deNoun = '', ja = ''] = cells
  // A repeated first cell is the name itself, which is capitalised only in titles.
  return {
    enName,
    enNoun: enNoun === enName ? enName.toLowerCase() : enNoun,
    es: esWithArticle.replace(/^(el|la|los|las) /, ''),
    esWithArticle,
    deStem,
    deNoun,
    ja,
  }
}
