/** What the compiler knows of a declared state or edge, and what its fields depend on. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import type { Collection, IndexSpec } from '../../ports/document-store.js'
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
