import { z } from 'zod'
import { CategorySlug } from './ids.js'
import { localized, webUrl } from './text.js'

export const defined = z.object({
  slug: CategorySlug,
  label: localized(100),
  order: z.number().int().min(0).max(10_000),
  coverUrl: webUrl.nullable().default(null),
})
