/** What the types of a client are made from: the printed `Operations`, and where each operation is. */

import type { ReadOptions } from './options.js'

export interface OperationAddress {
  /** In batches. */
  name: string
  /** With `{parameter}` for each argument that belongs into it. */
  path: string
}

export type OperationTable<O> = { readonly [Id in keyof O]: OperationAddress }

export type ArgumentsOf<O, Id extends keyof O> = O[Id] extends { arguments: infer A extends object } ? A : never
export type ResultOf<O, Id extends keyof O> = O[Id] extends { result: infer R } ? R : never

/** How a read is called. Its arguments may be left out where all of them are optional. */
export type ReadParameters<O, Id extends keyof O> =
  Record<never, never> extends ArgumentsOf<O, Id>
    ? [args?: ArgumentsOf<O, Id>, options?: ReadOptions]
    : [args: ArgumentsOf<O, Id>, options?: ReadOptions]

/** Ids of the operations that answer in pages. */
export type PagedId<O> = {
  [Id in keyof O]: 'cursor' extends keyof ArgumentsOf<O, Id> ? (ResultOf<O, Id> extends Page ? Id : never) : never
}[keyof O]

export interface Page {
  items: unknown[]
  next_cursor: string | null
}

export type ItemOf<P> = P extends { items: (infer Item)[] } ? Item : never
