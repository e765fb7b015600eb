/** What the compiler knows of a declared state or edge: its documents, and what its fields depend on. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { SequenceGaps } from '../../lib/sequence-gaps.js'
import type { Collection, Doc, IndexSpec, ShownId } from '../../ports/document-store.js'
import { living, Tombstone } from '../../ports/state-documents.js'
import type { Registers } from './registers.js'

/** A field computed from others of the same document. */
export interface Derived {
  schema: z.ZodType
  reads: readonly string[]
  /** Gets the fields that it reads, as `derive` has typed them. */
  compute(values: never): unknown
}

/** A field computed from the document that another field refers to. An unknown or removed one has its initial values. */
export interface Join extends Derived {
  through: string
  target: Definition
  /** The field with the ids of the others whose words it shows, if there may be any. */
  subjectsIn?: string
}

export interface CollectionOptions {
  /** Default: the kind of the aggregate. */
  name?: string
  indexes?: readonly IndexSpec[]
  fieldGroups?: NonNullable<Collection['fieldGroups']>
}

/** The two ends of an edge: the fields with their ids, and the kind of the other one. */
export interface Ends {
  own: string
  other: string
  kind: string
}

export interface Parts {
  kind: string
  registers: Registers
  ends: Ends | null
  joins: Readonly<Record<string, Join>>
  derived: Readonly<Record<string, Derived>>
  options: CollectionOptions
}

export interface Definition extends Parts {
  documents: Collection
}

/** What an event does to the aggregate that it is about, or to an edge of it. */
export interface Change<K extends string = string> {
  of: K
  to: Definition
  /** The other end, of an edge. */
  other: string | null
  patch: Readonly<Record<string, unknown>> | 'removed'
}

/** All that events have named as owners of a document. Kept beside the registers. */
export const PEOPLE = 'people'

export const ownersIn = ({ registers }: Parts): string[] => Object.keys(registers).filter((field) => registers[field]?.reference?.owner)

/** The registers and joins of a document that some of its fields depend on. */
export function dependenciesOf(parts: Parts, fields: readonly string[]): { registers: ReadonlySet<string>; joins: ReadonlySet<string> } {
  const registers = new Set<string>()
  const joins = new Set<string>()
  const add = (field: string): void => {
    const join = parts.joins[field]
    if (parts.registers[field] !== undefined) registers.add(field)
    else if (join !== undefined) {
      joins.add(field)
      registers.add(join.through)
    } else if (parts.derived[field] !== undefined) parts.derived[field].reads.forEach(add)
    else if (field === PEOPLE) for (const owner of ownersIn(parts)) registers.add(owner)
    else if (field !== parts.ends?.own && field !== parts.ends?.other) throw noField(parts, field)
  }
  fields.forEach(add)
  return { registers, joins }
}

/** The kind of the aggregate that a field refers to. */
export function referenceIn({ kind, ends, registers }: Parts, field: string): string | undefined {
  if (field === ends?.own) return kind
  return field === ends?.other ? ends.kind : registers[field]?.reference?.kind
}

function noField(parts: Parts, field: string): Error {
  const { registers, joins, derived, ends } = parts
  const known = [...Object.keys({ ...registers, ...joins, ...derived }), ...(ends === null ? [] : [ends.own, ends.other])]
  return new Error(`${nameOf(parts)} has no field "${field}"${didYouMean(nearestWord(field, known))}`)
}

export const nameOf = ({ kind, options }: Pick<Parts, 'kind' | 'options'>): string => options.name ?? kind

/** An index for readers. With other fields it is another one, also under the same name and version. */
export function indexOf(
  parts: Pick<IndexSpec, 'name' | 'fields' | 'each'>,
  order: NonNullable<IndexSpec['order']>,
  schemaOf: (field: string) => z.ZodType | undefined,
): IndexSpec {
  const { name, fields, each = null } = parts
  for (const field of fields) {
    const schema = schemaOf(field)
    if (field !== each && schema !== undefined && !holdsOneValue(z.toJSONSchema(schema, { unrepresentable: 'any' })))
      throw new Error(`the index "${name}" needs one value in "${field}", or a list of values that is never null, and no other list`)
  }
  const key = createHash('sha256')
    .update(JSON.stringify([fields, each, order]))
    .digest('hex')
    .slice(0, 8)
  return { ...parts, key, order, use: 'query' }
}

/** MongoDB would index a list by its elements. */
const holdsOneValue = ({ anyOf, oneOf, type }: z.core.JSONSchema.BaseSchema): boolean =>
  (anyOf ?? oneOf)?.every((each) => typeof each === 'object' && holdsOneValue(each)) ?? (type !== undefined && type !== 'array')

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
