/** What is said instead of an answer. */
import { z } from 'zod'
import { readJson } from '../../lib/package-root.js'

const Reply = z.strictObject({
  unknown: z.string(),
  noCreator: z.string(),
  noCreation: z.string(),
  nothingFound: z.string(),
  /** Names a link to the search. */
  search: z.string(),
  /** Names tags. */
  tags: z.string(),
  refusal: z.strictObject({ rules: z.string(), credentials: z.string(), private: z.string(), change: z.string() }),
})

export const REPLIES = readJson('content/ask/replies.json', z.strictObject({ en: Reply, es: Reply, de: Reply, ja: Reply }))
