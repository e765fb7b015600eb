/** Who made a creation: several publications may say it, in any order. */

import type { EventOf } from '../src/events/index.js'
import { type FieldVersions, inOrder, setAllFields } from '../src/lib/field-versions.js'

interface Published {
  setAt: FieldVersions
  creatorId: string | null
  alsoBy: string[]
}

export const NOT_PUBLISHED = { setAt: { all: 0 }, creatorId: null, alsoBy: [] } satisfies Published

/** The lowest sequence of a publication. Stored only where another publication came after it. */
const firstSequence = ({ setAt, creatorId }: Published): number =>
  creatorId === null ? Number.POSITIVE_INFINITY : (setAt.first ?? setAt.all)

/** Whether this publication decides who made the creation: the one with the lowest sequence does. */
export const isFirstPublication = (doc: Published, sequence: number): boolean => sequence < firstSequence(doc)

/** What a publication changes: the fields it sets, and who made the creation. */
export function publish<F extends object>(
  doc: Published,
  { sequence, data }: EventOf<'creation.published'>,
  fields: F,
): Partial<F> & Published {
  const changes = setAllFields(doc.setAt, sequence, fields)
  // The usual case: it is the only one.
  if (doc.creatorId === null && doc.alsoBy.length === 0 && sequence === changes.setAt.all)
    return { ...changes, creatorId: data.creatorId, alsoBy: [] }
  const { first: _, ...setAt } = changes.setAt
  const first = Math.min(sequence, firstSequence(doc))
  const creatorId = isFirstPublication(doc, sequence) ? data.creatorId : doc.creatorId
  const named = new Set([...doc.alsoBy, data.creatorId, ...(doc.creatorId === null ? [] : [doc.creatorId])])
  return {
    ...changes,
    creatorId,
    alsoBy: [...named].filter((id) => id !== creatorId).sort(),
    setAt: first === setAt.all ? setAt : inOrder({ ...setAt, first }),
  }
}
