/** Registers: fields that come out the same in any order and with any repetition of the events that set them; only `claimed` follows the log. */
import { z } from 'zod'

/** What can be added in any order and taken back. `Stored` is JSON, `Delta` is what events and views add. */
export interface Group<Stored, Delta> {
  schema: z.ZodType<Stored>
  zero: Stored
  none: Delta
  add(stored: Stored, delta: Delta): Stored
  minus(a: Delta, b: Delta): Delta
}

const numbers: Group<number, number> = { schema: z.number(), zero: 0, none: 0, add: (a, b) => a + b, minus: (a, b) => a - b }

type Rule = 'latest' | 'first' | 'best' | 'dated' | 'sum' | 'total'

/** What a field refers to. An owner's documents go with them. */
interface Reference {
  kind: string
  owner: boolean
  counted: string | null
}

/** Stored and shown as `T`; an event says `In`; refers to aggregates of the kind `Of`. */
export interface Register<T = unknown, In = unknown, Of extends string = string, R extends Rule = Rule> {
  rule: R
  schema: z.ZodType
  initial: T
  reference: Reference | null
  /** Of `best`. */
  beats?(a: unknown, b: unknown): boolean
  /** Of `dated`: what it dates, and by what of the event. */
  dates?: { field: string; by: 'position' | 'time' }
  /** Of `sum` and `total`. */
  group?: Group<unknown, unknown>
  /** For the compiler alone. */
  says?(value: In): void
  refersTo?: Of
}

export type Registers = Readonly<Record<string, Register>>

export interface ReferenceTo<K extends string> {
  refersTo: K
  owner: boolean
  counted: string | null
  /** The same reference, counted in a total of what it refers to: where that is 0, nothing has to be searched for what joins it. */
  countedIn(total: string): ReferenceTo<K>
}

const referenceTo = <K extends string>(refersTo: K, owner: boolean, counted: string | null = null): ReferenceTo<K> => ({
  ...{ refersTo, owner, counted },
  countedIn: (total) => referenceTo(refersTo, owner, total),
})

/** The id of an aggregate. For a creator use {@link person}: an id that is only mentioned would survive their erasure. */
export function idOf<K extends string>(kind: K extends 'creator' ? never : K): ReferenceTo<K> {
  if (String(kind) === 'creator') throw new Error('a creator is a person: use person instead of idOf("creator")')
  return referenceTo<K>(kind, false)
}

/** The id of a document's owner. It goes when they, or another person that an event has named here, are erased. */
export const person = referenceTo('creator', true)

type Plain = string | number | boolean
type Widened<T extends Plain> = T extends string ? string : T extends number ? number : boolean

interface Versioned<R extends Rule> {
  <K extends string>(reference: ReferenceTo<K>): Register<string | null, string | null, K, R>
  <T extends Plain>(initial: T): Register<Widened<T>, Widened<T>, never, R>
  <S extends z.ZodType>(schema: S, initial: z.output<S>): Register<z.output<S>, z.output<S>, never, R>
  <S extends z.ZodType>(schema: S): Register<z.output<S> | null, z.output<S>, never, R>
}

function versioned<R extends 'latest' | 'first'>(rule: R): Versioned<R> {
  const register = (of: Plain | z.ZodType | ReferenceTo<string>, initial: unknown = null): Register<unknown, unknown, string, R> => {
    if (typeof of !== 'object') return { rule, schema: plainSchema(of), initial: of, reference: null }
    if ('refersTo' in of) {
      const { refersTo: kind, owner, counted } = of
      return { rule, schema: z.string().nullable(), initial, reference: { kind, owner, counted } }
    }
    return { rule, schema: initial === null ? of.nullable() : of, initial, reference: null }
  }
  // The overloads say which value follows from which argument.
  return register as Versioned<R>
}

const plainSchema = (value: Plain): z.ZodType =>
  typeof value === 'string' ? z.string() : typeof value === 'number' ? z.number() : z.boolean()

/** The event with the highest sequence wins. */
export const latest = versioned('latest')

/** The event with the lowest sequence wins. */
export const first = versioned('first')

/** The value that beats the others wins. Of two that beat each other neither way, the one whose JSON text comes first. */
export function best<S extends z.ZodType>(
  schema: S,
  beats: (a: z.output<S>, b: z.output<S>) => boolean,
): Register<z.output<S> | null, z.output<S>, never, 'best'> {
  // Only values of the schema come here.
  return { rule: 'best', schema: schema.nullable(), initial: null, reference: null, beats: beats as (a: unknown, b: unknown) => boolean }
}

const extreme = (initial: number, beats: (a: number, b: number) => boolean): Register<number, number, never, 'best'> =>
  // Only numbers come here.
  ({ rule: 'best', schema: z.number(), initial, reference: null, beats: beats as (a: unknown, b: unknown) => boolean })

/** The highest number wins. */
export const max = (initial: number) => extreme(initial, (a, b) => a > b)

/** The lowest number wins. */
export const min = (initial: number) => extreme(initial, (a, b) => a < b)

const dated = (field: string, by: 'position' | 'time'): Register<number, never, never, 'dated'> => ({
  rule: 'dated',
  schema: z.number(),
  initial: 0,
  reference: null,
  dates: { field, by },
})

/** The position of the event that set another field; of several copies of it, the lowest. */
export const claimed = (field: string) => dated(field, 'position')

/** The time of the event that set another field; of several that said the same best, the earliest. */
export const achieved = (field: string) => dated(field, 'time')

/** What events add, each once; views may add to it, too. */
export function sum(): Register<number, number, never, 'sum'>
export function sum<T, D>(group: Group<T, D>): Register<T, D, never, 'sum'>
export function sum(group: Group<unknown, unknown> | Group<number, number> = numbers): Register<unknown, unknown, never, 'sum'> {
  return { rule: 'sum', schema: group.schema, initial: group.zero, reference: null, group }
}

/** What views add. Events do not set it. */
export function total(): Register<number, number, never, 'total'>
export function total<T, D>(group: Group<T, D>): Register<T, D, never, 'total'>
export function total(group: Group<unknown, unknown> | Group<number, number> = numbers): Register<unknown, unknown, never, 'total'> {
  return { ...sum(group), rule: 'total' }
}
