import { z } from 'zod'
import { DEFAULT_LOCALE, isLocale } from './locale.js'

export const locale = z
  .string()
  .max(64)
  .refine(isLocale, 'must be a BCP-47 language tag')
  .default(DEFAULT_LOCALE)
  .meta({
    description: 'Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is.',
    examples: ['en', 'de-AT'],
  })

/** Not checked further: what is no handle belongs to nobody, and that is a 404. */
export const handle = z.string().meta({ description: 'Creator handle: the subdomain label of the public address, compared without case.' })

export const slug = z.string().meta({ description: 'App slug: the path of the public address.' })

/** An empty value, as forms send it, means the parameter was left out. */
export const optionalText = (max: number, description: string) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .optional()
    .meta({ description })
