/** The documents of a declared state or edge: their schema, indexes, and whose words they show. */
import { z } from 'zod'
import { SequenceGaps } from '../../lib/sequence-gaps.js'
import type { Collection, Doc, IndexSpec, ShownId } from '../../ports/document-store.js'
import { living, Tombstone } from '../../ports/state-documents.js'
import { dependenciesOf, type Join, nameOf, ownersIn, type Parts, PEOPLE } from './definition.js'

export function documentsOf(parts: Parts): Collection {
  const { indexes = [], fieldGroups } = parts.options
  const isEdge = parts.ends !== null
  return {
    name: nameOf(parts),
    schema: schemaOf(parts),
    indexes: [...foldIndexesOf(parts), ...indexes],
    shows: showsOf(parts),
    ...(fieldGroups === undefined ? {} : { fieldGroups }),
    ...(isEdge ? { edges: true, uncached: true } : {}),
  }
}

/** Beside the fields: `v`, the sequences that set the registers, in their order; who owns it; gaps where events add. */
function schemaOf(parts: Parts): z.ZodType<Doc> {
  const { registers, joins, derived, ends } = parts
  const fields = {
    ...(keepsGaps(parts) ? { gaps: SequenceGaps } : {}),
    ...(versionedIn(parts).length > 0 ? { v: z.array(z.number()) } : {}),
    ...(ownersIn(parts).length > 0 ? { [PEOPLE]: z.array(z.string()) } : {}),
    ...Object.fromEntries(Object.entries({ ...registers, ...joins, ...derived }).map(([name, { schema }]) => [name, schema])),
  }
  if (ends !== null) return z.object({ _id: z.string(), [ends.own]: z.string(), [ends.other]: z.string(), ...fields })
  return z.discriminatedUnion('removed', [z.object({ ...living, ...fields }), Tombstone])
}

export const keepsGaps = ({ registers }: Parts): boolean => Object.values(registers).some(({ rule }) => rule === 'sum')

/** The registers whose sequence is kept. */
export const versionedIn = ({ registers }: Parts): string[] =>
  Object.keys(registers).filter((field) => registers[field]?.rule === 'latest' || registers[field]?.rule === 'first')

/** The index that finds documents by what a field refers to. */
export function indexThrough(parts: Parts, field: string): string {
  return parts.registers[field]?.reference?.owner ? PEOPLE : `by${field.charAt(0).toUpperCase()}${field.slice(1)}`
}

function foldIndexesOf(parts: Parts): IndexSpec[] {
  const { joins, ends } = parts
  const fields = [...Object.values(joins).map(({ through }) => through), ...(ends === null ? [] : [ends.other])]
  const names = new Map(fields.map((field) => [indexThrough(parts, field), field]))
  names.delete(PEOPLE)
  return [
    ...(ownersIn(parts).length > 0 ? [{ name: PEOPLE, fields: [PEOPLE], each: PEOPLE, use: 'fold' as const }] : []),
    ...[...names].map(([name, field]) => ({ name, fields: [field], use: 'fold' as const })),
  ]
}

const SUBJECTS = ['creator', 'creation']

/** The fields with the ids of those whose words a document shows: its own, its owners', and those of what it joins. */
function showsOf(parts: Parts): ShownId[] {
  const { kind, joins, ends } = parts
  if (ends !== null) return [...(SUBJECTS.includes(kind) ? [ends.own] : []), ...(SUBJECTS.includes(ends.kind) ? [ends.other] : [])]
  const owners = ownersIn(parts)
  const joined = Object.entries(joins).flatMap(([words, { through, subjectsIn }]) => {
    // One without is a list of subjects itself.
    if (subjectsIn === undefined) return []
    const ids = [...(owners.includes(through) ? [] : [through]), ...(subjectsIn in joins ? [subjectsIn] : [])]
    // What is joined may be gone: then its id is still there, but not its words.
    return ids.map((id) => ({ id, words }))
  })
  return [...(SUBJECTS.includes(kind) ? ['_id'] : []), ...owners, ...(owners.length > 0 ? [PEOPLE] : []), ...joined]
}

/** Of the fields with such ids, those that some fields need, each with the words that it counts with. */
function subjectFields(parts: Parts, fields: readonly string[]): { id: string; words: string }[] {
  const { joins } = parts
  const shown = [...dependenciesOf(parts, fields).joins].flatMap((words) => {
    const { through = '', subjectsIn } = joins[words] ?? {}
    if (subjectsIn === undefined) return []
    return [through, ...(subjectsIn in joins ? [subjectsIn] : [])].map((id) => ({ id, words }))
  })
  return [...(ownersIn(parts).length > 0 ? [{ id: PEOPLE, words: PEOPLE }] : []), ...shown]
}

/** Beside a join: a field with the ids of the others whose words it shows. Nothing if the joined document shows only its own. */
export function joinOfSubjects({ through, target, reads, subjectsIn = '' }: Join): Record<string, Join> {
  const shown = subjectFields(target, reads)
  if (shown.length === 0) return {}
  const idsIn = (values: Readonly<Record<string, string | null | readonly string[]>>): string[] =>
    [...new Set(shown.flatMap(({ id, words }) => (values[words] === null ? [] : (values[id] ?? []))))].sort()
  const needed = [...new Set(shown.flatMap(({ id, words }) => [id, words]))]
  return { [subjectsIn]: { through, target, reads: needed, schema: z.array(z.string()), compute: idsIn } }
}
