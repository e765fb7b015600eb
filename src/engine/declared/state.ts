/** States and edges: the documents that events set, each field by its own rule. */
import { z } from 'zod'
import type { Collection, Doc, IndexSpec } from '../../ports/document-store.js'
import type { Tombstone } from '../../ports/state-documents.js'
import {
  type Change,
  type CollectionOptions,
  type Definition,
  type Derived,
  dependenciesOf,
  documentsOf,
  indexOf,
  type Join,
  joinOfSubjects,
  nameOf,
  type Parts,
  referenceIn,
} from './definition.js'
import type { ReferenceTo, Register, Registers } from './registers.js'

type Values<R extends Registers> = { [F in keyof R]: R[F]['initial'] }

export type Said<R extends Register> = NonNullable<R['says']> extends (value: infer In) => void ? In : never

/** What an event says of some registers. `undefined`: nothing. */
type Patch<R extends Registers> = { [F in keyof R as R[F]['rule'] extends 'total' | 'dated' ? never : F]?: Said<R[F]> | undefined }

/** The registers that refer to aggregates of a kind. */
type FieldsTo<R extends Registers, K extends string> = {
  [F in keyof R]: [NonNullable<R[F]['refersTo']>] extends [never] ? never : K extends NonNullable<R[F]['refersTo']> ? F : never
}[keyof R]

export interface Living extends Doc {
  seq: number
  removed: false
  /** All that events have named as its owners, if it may have one. */
  people?: readonly string[]
}

/** A definition whose documents have the fields `V`. */
export interface Shaped<V extends object> extends Definition {
  readonly shape?: V
}

/** What reads may read: documents with the fields `V`, the indexes `I`, and in the fields `C` ids of creations or creators. */
export interface Readable<V extends object, I extends string = string, C extends string = string> {
  readonly documents: Collection
  readonly shape?: V
  readonly indexed?: I
  readonly refers?: C
  /** The kind of the aggregate that a field refers to. */
  referenceIn?(field: string): string | undefined
}

/** The documents of a declared state that are no tombstones, or of a declared edge. */
export type DocumentOf<S> = S extends { documents: Collection<infer D> } ? Exclude<D, Tombstone> : never

interface JoinOf<F, K extends string, T> extends Join {
  readonly field?: F
  readonly kind?: K
  readonly value?: T
}

interface JoinOptions<S extends string = string> {
  /** Where the ids of the others are kept whose words the join shows. Default: its name with `Shows`. */
  subjectsIn?: S
}

export interface State<K extends string, R extends Registers, V extends object, I extends string = never>
  extends Shaped<V>,
    Readable<V, I, FieldsTo<R, 'creation' | 'creator'> & string> {
  readonly shape?: V
  documents: Collection<(Living & V) | Tombstone>
  /** What an event says of its aggregate. */
  (patch: Patch<R>): Change<K>
  kind: K
  registers: R
  /** The event removes its aggregate, for good. Events called `….removed` of ours need no word. */
  removed(): Change<K>
  /** Some fields of the document that a field refers to, or what is computed from them. */
  of<F extends string, D extends keyof V & string>(through: F, reads: readonly D[]): JoinOf<F, K, Pick<V, D>>
  of<F extends string, D extends keyof V & string, S extends z.ZodType>(
    through: F,
    reads: readonly D[],
    schema: S,
    compute: (values: Pick<V, D>) => z.output<S>,
  ): JoinOf<F, K, z.output<S>>
  /** Adds a field from another document. */
  join<N extends string, F extends string, J extends string, T, S extends string = never>(
    name: N,
    join: JoinOf<F & FieldsTo<R, J>, J, T> | ((self: this) => JoinOf<F & FieldsTo<R, J>, J, T>),
    options?: JoinOptions<S>,
  ): State<K, R, V & Record<N, T> & Record<S, string[]>, I>
  /** Adds a field from others of this document. */
  derive<N extends string, D extends keyof V & string, S extends z.ZodType>(
    name: N,
    schema: S,
    reads: readonly D[],
    compute: (values: Pick<V, D>) => z.output<S>,
  ): State<K, R, V & Record<N, z.output<S>>, I>
  /** Readers find documents by these fields, in the order of those that they leave open. */
  index<N extends string, D extends keyof V & string>(name: N, fields: readonly D[], order?: IndexSpec['order']): State<K, R, V, I | N>
}

export interface Edge<K extends string, R extends Registers, V extends object, I extends string = never, F extends string = never>
  extends Shaped<V>,
    Readable<V, I, F> {
  readonly shape?: V
  documents: Collection<Doc & V>
  /** What an event says of its aggregate and the other one. */
  (other: string, patch: Patch<R>): Change<K>
  kind: K
  registers: R
  derive<N extends string, D extends keyof V & string, S extends z.ZodType>(
    name: N,
    schema: S,
    reads: readonly D[],
    compute: (values: Pick<V, D>) => z.output<S>,
  ): Edge<K, R, V & Record<N, z.output<S>>, I, F>
  index<N extends string, D extends keyof V & string>(name: N, fields: readonly D[], order?: IndexSpec['order']): Edge<K, R, V, I | N, F>
}

/** What a projection knows of every aggregate of a kind. */
export function state<K extends string, R extends Registers>(
  kind: K,
  registers: R,
  options: CollectionOptions = {},
): State<K, R, Values<R>> {
  // What is built has the fields that its parts say, which the compiler cannot follow.
  return build({ kind, registers, options, ends: null, joins: {}, derived: {} }) as unknown as State<K, R, Values<R>>
}

/** The end of an edge that its events are about. */
export const own = 'own'

/** What a projection knows of every pair of an aggregate and another one, such as likes. It goes with either of them. */
export function edge<K extends string, F extends string, R extends Registers>(
  kind: K,
  name: string,
  ends: Readonly<Record<F, ReferenceTo<string> | typeof own>>,
  registers: R,
  options: Omit<CollectionOptions, 'name'> = {},
): Edge<K, R, Values<R> & Record<F, string>, never, F> {
  const fields = Object.entries<ReferenceTo<string> | typeof own>(ends)
  const [ownField] = fields.find(([, end]) => end === own) ?? []
  const [otherField, other] = fields.find(([, end]) => end !== own) ?? []
  if (ownField === undefined || otherField === undefined || typeof other !== 'object' || fields.length !== 2)
    throw new Error(`${name}: an edge has two ends, and one of them is its own`)
  if (other.counted !== null) throw new Error(`${name}: the ends of edges are counted by a view`)
  const parts = { kind, registers, options: { ...options, name }, ends: { own: ownField, other: otherField, kind: other.refersTo } }
  return build({ ...parts, joins: {}, derived: {} }) as unknown as Edge<K, R, Values<R> & Record<F, string>, never, F>
}

/** A state or an edge: a function that makes changes, with its definition. */
function build(parts: Parts): Definition {
  const change = (other: string | null, patch: Change['patch']): Change => ({ of: parts.kind, to: self, other, patch })
  const says = parts.ends === null ? (patch: Patch<Registers>) => change(null, patch) : change
  const self: Definition = Object.assign(says, {
    ...parts,
    documents: documentsOf(parts),
    referenceIn: (field: string) => referenceIn(parts, field),
    removed: () => change(null, 'removed'),
    of: (through: string, reads: readonly string[], schema?: z.ZodType, compute?: Join['compute']): Join => ({
      ...{ through, target: self, reads, schema: schema ?? pickedSchema(parts, reads) },
      compute: compute ?? ((values: Readonly<Record<string, unknown>>) => picked(values, reads)),
    }),
    join(name: string, given: Join | ((self: Definition) => Join), { subjectsIn = `${name}Shows` }: JoinOptions = {}) {
      assertNew(parts, name)
      const join = { ...(typeof given === 'function' ? given(self) : given), subjectsIn }
      return build({ ...parts, joins: { ...parts.joins, [name]: join, ...joinOfSubjects(join) } })
    },
    derive(name: string, schema: z.ZodType, reads: readonly string[], compute: Derived['compute']) {
      assertNew(parts, name)
      return build({ ...parts, derived: { ...parts.derived, [name]: { schema, reads, compute } } })
    },
    index(name: string, fields: readonly string[], order: IndexSpec['order'] = 'asc') {
      dependenciesOf(parts, fields)
      const each = fields.find((field) => schemaIn(parts, field) instanceof z.ZodArray)
      const index = indexOf({ name, fields, ...(each === undefined ? {} : { each }) }, order, (field) => schemaIn(parts, field))
      return build({ ...parts, options: { ...parts.options, indexes: [...(parts.options.indexes ?? []), index] } })
    },
  })
  return self
}

function assertNew({ registers, joins, derived, ...rest }: Parts, name: string): void {
  if (name in registers || name in joins || name in derived) throw new Error(`${nameOf(rest)} has two fields "${name}"`)
}

const pickedSchema = (parts: Parts, reads: readonly string[]): z.ZodType =>
  z.object(Object.fromEntries(reads.map((name) => [name, schemaIn(parts, name) ?? z.never()])))

const schemaIn = ({ registers, joins, derived }: Parts, field: string): z.ZodType | undefined =>
  (registers[field] ?? joins[field] ?? derived[field])?.schema

export const picked = (values: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, values[name]]))
