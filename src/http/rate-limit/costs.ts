/** As how many requests one counts: a batch is as much work as its reads, and a long text more than a short one. */
import { FILTERED_FACTOR, QUESTION_CHARACTERS, SEARCH_CHARACTERS } from '../../contract/caller-limits.js'
import type { Operation } from '../../contract/operation.js'
import { parseBatch } from '../../operations/batch.js'

/** Longer ones are condensed before they are understood. */
const MAX_QUESTION_COST = 6

type Fields = Readonly<Record<string, unknown>>

export function readCost(input: unknown): number {
  const fields = fieldsOf(input)
  const isFiltered = FILTERS.some((name) => fields[name] !== undefined)
  return begun(lengthOf(fields.q) * (isFiltered ? FILTERED_FACTOR : 1), SEARCH_CHARACTERS)
}

/** Of the feed, and of the pages of text. */
const FILTERS = ['category', 'tag', 'featuredOnly', 'featured', 'kind', 'remixed']

/** The earlier questions of the conversation are read, too. */
export function questionCost(body: unknown): number {
  const { query, context, prev } = fieldsOf(body)
  return Math.min(MAX_QUESTION_COST, begun(lengthOf(query) + lengthOf(context) + lengthOf(prev), QUESTION_CHARACTERS))
}

/** In the background it is also stored, several times. */
export const jobCost = (body: unknown): number => questionCost(body) + 1

/** A body that is refused as a whole counts as one. */
export const batchCost =
  (list: readonly Operation[]) =>
  (body: unknown): number => {
    try {
      return parseBatch(list, body).reduce((sum, { input }) => sum + readCost(input), 0)
    } catch {
      return 1
    }
  }

/** Of a message to an MCP server: that of the tool it calls. */
export function messageCost(body: unknown): number {
  const input = fieldsOf(fieldsOf(body).params).arguments
  return Math.max(questionCost(input), readCost(input))
}

/** Costs the most anyway. */
const LONG = 500

const begun = (length: number, size: number): number => Math.max(1, Math.ceil(length / size))

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Characters in all texts of a value, as searches see them: one ligature can stand for eighteen letters. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length > LONG ? value.length : value.normalize('NFKC').length
  return Object.values(fieldsOf(value)).reduce<number>((sum, part) => sum + lengthOf(part), 0)
}
