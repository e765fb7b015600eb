import type { z } from 'zod'
import { leavesOf, withoutWords } from './words.js'

/**
 * Whose data an event holds: the fields of its data with creator ids, or the people whom another event of the same
 * aggregate names. `[]`: of no person.
 */
export type People<Field extends string = string> = readonly Field[] | { readonly sameAs: string }

/** An event type as parsing, folding, redaction and AsyncAPI use it. */
export interface EventType<S extends z.ZodType = z.ZodType> {
  aggregate: string
  /** The field of `data` that holds the aggregate's id. */
  key: string
  version: number
  schema: S
  older: Readonly<Record<number, OlderVersion>>
  summary: string
  people: People
  /** The data without a person's words; `null` if there are none. Ids, kinds and numbers stay. */
  redact: ((data: unknown) => object) | null
  /** Data of the newest version. The built-in types have theirs in `content`. */
  example?: Readonly<Record<string, unknown>>
}

/** An event type of custom models. */
export interface OwnEvent<N extends string = string, S extends z.ZodType = z.ZodType> extends EventType<S> {
  name: N
  example: Readonly<Record<string, unknown>>
}

export interface EventSpec<S extends z.ZodType> {
  schema: S
  summary: string
  people: People<keyof z.output<S> & string>
  redact: ((data: z.output<S>) => z.input<S> & object) | null
  /** Default: 1. */
  version?: number
  older?: Readonly<Record<number, OlderVersion>>
}

export interface OwnEventSpec<N extends string, S extends z.ZodType> extends Omit<EventSpec<S>, 'people' | 'redact'> {
  /** `garden.planted`: the aggregate and what happened to it. */
  name: N
  /** The field of the data that holds the aggregate's id. Default: `gardenId`. */
  key?: keyof z.output<S> & string
  /** Words of those whom another type of the same aggregate names. Default: the only one that names people, if this one does not. */
  sameAs?: `${string}.${string}`
  /** Printed in the AsyncAPI document, and folded when the models are loaded. */
  example: z.input<S> & Readonly<Record<string, unknown>>
}

/** Declares an event type of your own. Its schema says whose data it holds (`CreatorId`) and which of them are words (`text`, `words`). */
export function event<const N extends `${string}.${string}`, S extends z.ZodType>(spec: OwnEventSpec<N, S>): OwnEvent<N, S> {
  const { name, key, example, schema, sameAs, ...rest } = spec
  const aggregate = aggregateIn(name)
  const leaves = [...leavesOf(schema)]
  const people = sameAs === undefined ? leaves.flatMap(({ path, mark }) => (mark === 'person' ? [path] : [])) : { sameAs }
  const redact = leaves.some(({ mark }) => typeof mark === 'object') ? (data: unknown) => Object(withoutWords(schema, data)) : null
  return { version: 1, older: {}, ...rest, schema, aggregate, key: key ?? `${aggregate}Id`, people, redact, name, example }
}

export function eventType<S extends z.ZodType>(aggregate: string, key: string, spec: EventSpec<S>): EventType<S> {
  const { redact, ...rest } = spec
  // It is only called with data that the schema has accepted.
  return { version: 1, older: {}, ...rest, redact: redact && ((data) => redact(data as z.output<S>)), aggregate, key }
}

/** The aggregate that the name of an event type begins with. */
export const aggregateIn = (name: string): string => name.slice(0, name.indexOf('.'))

/** Turns events of an older version into the newest, before any projection sees them. */
export interface OlderVersion {
  schema: z.ZodType
  /** Turns data of this version into data of the next. */
  upcast(data: unknown): unknown
}

export function olderVersion<S extends z.ZodType>(schema: S, upcast: (data: z.infer<S>) => unknown): OlderVersion {
  return { schema, upcast: (data) => upcast(data as z.infer<S>) }
}
