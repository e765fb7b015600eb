import { z } from 'zod'

/** Ids become part of log subjects, document ids and URLs, so only characters that need no escaping in any of them. */
const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"')

export const CreatorId = opaqueId.brand<'CreatorId'>()
export type CreatorId = z.infer<typeof CreatorId>

export const CreationId = opaqueId.brand<'CreationId'>()
export type CreationId = z.infer<typeof CreationId>

/** A handle is the subdomain label of the creator's public address. */
export const Handle = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/, 'must be a DNS label')
  .brand<'Handle'>()
export type Handle = z.infer<typeof Handle>

/** A slug is one path segment. It starts and ends with a letter or digit, so it can never be "." or "..". */
export const Slug = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._~-]{0,98}[A-Za-z0-9])?$/, 'must be a URL path segment')
  .brand<'Slug'>()
export type Slug = z.infer<typeof Slug>

export const CategorySlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by "-"')
  .brand<'CategorySlug'>()
export type CategorySlug = z.infer<typeof CategorySlug>

/** Handles are compared without case. Only A to Z are folded: full Unicode folding would make the Kelvin sign equal to "k". */
export const handleKey = (handle: string): string => handle.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
