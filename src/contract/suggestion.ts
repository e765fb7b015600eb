/** Reads that complete an argument while it is typed. No surface lists them, so they have no path and no example. */
import { z } from 'zod'

export const MAX_SUGGESTIONS = 20

export const suggestionPrefix = z.string().max(200)

/** What all suggestion reads have in common. */
export const suggestionRead = {
  path: '',
  description: '',
  output: z.object({ values: z.array(z.string()) }),
  example: { input: {}, output: { values: [] } },
}
