/** Turns events of an older version into the newest, before any projection sees them. `catalogue.ts` says which type needs which. */
import type { z } from 'zod'

export interface OlderVersion {
  schema: z.ZodType
  /** Turns data of this version into data of the next. */
  upcast(data: unknown): unknown
}

export function olderVersion<S extends z.ZodType>(schema: S, upcast: (data: z.infer<S>) => unknown): OlderVersion {
  return { schema, upcast: (data) => upcast(data as z.infer<S>) }
}

/** Version 1 had titles and descriptions in English only. */
const asEnglish = (value: string | undefined) => (value === undefined ? undefined : { en: value })

export const localizeText = <T extends { title?: string | undefined; description?: string | undefined }>(data: T) => ({
  ...data,
  title: asEnglish(data.title),
  description: asEnglish(data.description),
})
