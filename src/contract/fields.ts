/** Fields that the inputs and outputs of several reads share. */
import { z } from 'zod'
import { DEFAULT_LOCALE, isLocale, MAX_LOCALE_LENGTH } from './locale.js'

export const locale = z
  .string()
  .max(MAX_LOCALE_LENGTH)
  .refine(isLocale, 'must be a BCP-47 language tag')
  .default(DEFAULT_LOCALE)
  .meta({
    description: 'Language of titles and descriptions, a BCP-47 tag. Falls back to the nearest one there is.',
    examples: ['en', 'de-AT'],
  })

/** Any text is accepted: a text that is no handle belongs to no creator and gets a 404. */
export const handle = z.string().meta({ description: 'Creator handle: the subdomain label of the public address, compared without case.' })

export const slug = z.string().meta({ description: 'App slug: the path of the public address.' })

/** Forms send an empty value for a parameter that was left out. */
export const optionalText = (max: number, description: string) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
    .optional()
    .meta({ description })

export const isoDateTime = z.iso.datetime()
export const count = z.int().nonnegative()

/** A schema that the published descriptions list under its own name. */
export const namedSchema = <S extends z.ZodType>(id: string, schema: S, description: string): S => schema.meta({ id, description })
