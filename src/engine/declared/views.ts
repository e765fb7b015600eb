/** Views: documents and sums that follow from states and edges. Their functions get the fields that they name. */
import { z } from 'zod'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import type { Collection, Doc, IndexSpec } from '../../ports/document-store.js'
import { type Definition, indexOf } from './definition.js'
import type { Register, Registers } from './registers.js'
import type { Readable, Said, Shaped, State } from './state.js'

interface ViewBasics {
  source: Definition
  reads: readonly string[]
}

export interface CountView extends ViewBasics {
  type: 'count'
  compute(values: never): readonly string[]
  into: Collection
  /** Without its id, which is the key. */
  doc(key: string, count: number): object
  /** How many keys there are: one document, called `total`. */
  distinct: Collection | null
}

export interface ShowView extends ViewBasics {
  type: 'show'
  compute(values: never): object | null
  into: Collection
}

export interface AddView extends ViewBasics {
  type: 'add'
  /** The field with the id of what it adds to. */
  through: string
  target: Definition
  adds: readonly string[]
  compute(values: never): Readonly<Record<string, unknown>> | null
}

export type View = CountView | ShowView | AddView

interface Counted extends Doc {
  count: number
}

/** The documents that {@link countBy} makes: one per key, with its count and these fields. */
export interface Counts<V extends object, I extends string = never> extends Readable<V, I, never> {
  documents: Collection<Doc & V>
  index<N extends string, F extends keyof V & string>(name: N, fields: readonly F[], order?: IndexSpec['order']): Counts<V, I | N>
}

export function counts<S extends Readonly<Record<string, z.ZodType>>>(
  name: string,
  fields: S,
): Counts<{ [F in keyof S]: z.output<S[F]> } & { count: number }> {
  const all: Readonly<Record<string, z.ZodType>> = { _id: z.string(), ...fields, count: z.number().positive() }
  const withIndexes = (indexes: readonly IndexSpec[]) => ({
    documents: { name, schema: z.object(all), indexes, shows: [] },
    index(index: string, of: readonly string[], order: IndexSpec['order'] = 'asc') {
      const unknown = of.find((field) => !(field in all))
      if (unknown !== undefined) throw new Error(`${name} has no field "${unknown}"${didYouMean(nearestWord(unknown, Object.keys(all)))}`)
      return withIndexes([...indexes, indexOf({ name: index, fields: of }, order, (field) => all[field])])
    },
  })
  // It has the fields that are given, which the compiler cannot follow.
  return withIndexes([]) as unknown as Counts<{ [F in keyof S]: z.output<S[F]> } & { count: number }>
}

/** {@link counts}, or a collection. */
type Into<D extends Doc> = Collection<D> | { documents: Collection<D> }

/** One document per key, with the number of documents that have the key. */
export function countBy<V extends object, F extends keyof V & string, D extends Counted>(
  source: Shaped<V>,
  reads: readonly F[],
  keys: (values: Pick<V, F>) => readonly string[],
  { into, doc, distinct }: { into: Into<D>; doc(key: string, count: number): Omit<D, '_id'>; distinct?: Collection<Counted> },
): View {
  return { type: 'count', source, reads, compute: keys, into: 'documents' in into ? into.documents : into, doc, distinct: distinct ?? null }
}

/** One document for each of the source, under the same id; `null` for none. */
export function show<V extends object, F extends keyof V & string, D extends Doc>(
  source: Shaped<V>,
  reads: readonly F[],
  into: Collection<D>,
  doc: (values: Pick<V, F>) => Omit<D, '_id'> | null,
): View {
  return { type: 'show', source, reads, into, compute: doc }
}

/** The views that count references in what they refer to. Nothing else may add to such a total: where it is 0, nothing is searched. */
export function referenceCounts(definitions: readonly Definition[], views: readonly View[]): View[] {
  return definitions.flatMap((source) =>
    Object.entries(source.registers).flatMap(([through, { reference }]): View[] => {
      const counted = reference?.counted ?? null
      if (counted === null) return []
      const name = `${source.documents.name}.${through} is counted in "${counted}"`
      const target = definitions.find(({ kind, ends }) => kind === reference?.kind && ends === null)
      if (target?.registers[counted]?.rule !== 'total') throw new Error(`${name}, which is no total of a ${reference?.kind} that is kept`)
      if (views.some((view) => view.type === 'add' && view.target.kind === target.kind && view.adds.includes(counted)))
        throw new Error(`${name}, which a view adds to as well`)
      const one = { [counted]: 1 }
      return [{ type: 'add', source, reads: [], through, target, adds: [counted], compute: () => one }]
    }),
  )
}

/** The sums and totals of a state. */
type Sums<R extends Registers> = { [F in keyof R as R[F]['rule'] extends 'sum' | 'total' ? F : never]: R[F] }
type Amounts<R extends Registers, A extends string> = { [F in A]?: R[F] extends Register ? Said<R[F]> : never }

interface Addition<W extends object, T extends string, F extends string, A extends string> {
  /** What adds, and its field with the id of what it adds to. */
  of: Shaped<W>
  through: T
  reads: readonly F[]
  /** The sums and totals it adds to. */
  adds: readonly A[]
}

/** Each document adds to sums of the one that a field of it refers to. */
export function addTo<
  K extends string,
  R extends Registers,
  V extends object,
  W extends object,
  T extends keyof W & string,
  F extends keyof W & string,
  A extends keyof Sums<R> & string,
>(
  target: State<K, R, V, string>,
  { of, through, reads, adds }: Addition<W, T, F, A>,
  amounts: (values: Pick<W, F>) => Amounts<R, A> | null,
): View {
  return { type: 'add', source: of, reads, through, target, adds, compute: amounts }
}
