/** The documents that searches read. They are apart from the creations, so that a like does not rewrite them. */
import { z } from 'zod'
import { KINDS } from '../../../src/events/index.js'
import { collection, fieldGroup } from '../../collection.js'

export const TermsDoc = z.object({
  _id: z.string(),
  /** Words of titles, descriptions and tags. */
  terms: z.array(z.string()),
  /** Forms of the words of titles and tags, each behind the field that holds it. */
  ranked: z.array(z.string()),
  /** From 0 to 4, by likes. */
  quality: z.int(),
  kind: z.enum(KINDS).nullable(),
  featured: z.boolean(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
})
export type TermsDoc = z.infer<typeof TermsDoc>

/** What a form in `ranked` stands behind. */
export const TITLE = '1'
export const TAG = '2'

export const terms = collection<TermsDoc>({
  name: 'terms',
  schema: TermsDoc,
  indexes: [
    { name: 'byTerm', fields: ['terms'], each: 'terms', use: 'query', fullText: true },
    { name: 'ranked', fields: ['ranked', 'quality'], each: 'ranked', order: 'desc', use: 'query' },
  ],
  shows: ['_id'],
  uncached: true,
})

/** A form that titles or tags hold. */
export const WordDoc = z.object({
  _id: z.string(),
  /** Public creations that hold it. */
  count: z.number().positive(),
  /** Bits of the count. It changes rarely, and kept answers depend on it alone. */
  bits: z.int(),
  /** Without one of its letters: what a misspelling has in common with it. */
  deletions: z.array(z.string()),
})
export type WordDoc = z.infer<typeof WordDoc>

const FREQUENCY_FIELDS = ['bits', 'deletions'] as const

export const wordCounts = collection<WordDoc>({
  name: 'words',
  schema: WordDoc,
  indexes: [{ name: 'byDeletion', fields: ['deletions'], each: 'deletions', use: 'query' }],
  fieldGroups: { frequency: FREQUENCY_FIELDS },
})

export const frequencies = fieldGroup(wordCounts, 'frequency', FREQUENCY_FIELDS)

/** What a creator is found by. A rename rewrites this alone, not the terms of all their creations. */
export const NamesDoc = z.object({
  _id: z.string(),
  /** Words of the name and the handle. */
  words: z.array(z.string()),
  deletions: z.array(z.string()),
})
export type NamesDoc = z.infer<typeof NamesDoc>

export const creatorNames = collection<NamesDoc>({
  name: 'names',
  schema: NamesDoc,
  indexes: [
    { name: 'byWord', fields: ['words'], each: 'words', use: 'query' },
    { name: 'byDeletion', fields: ['deletions'], each: 'deletions', use: 'query' },
  ],
  shows: ['_id'],
})
