import type { Collection } from './collection.js'
import type { Lease } from './coordination.js'

/** One complete set of a projection's documents. */
export interface Generation {
  projection: string
  version: number
  number: number
  state: 'loading' | 'live' | 'retired'
  createdAt: number
}

/** The port for the life cycle of generations. */
export interface Generations {
  /** The names of all projections that have generations, in alphabetical order. */
  projections(): Promise<string[]>
  /** All generations of a projection, oldest first. */
  generations(projection: string): Promise<Generation[]>
  createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation>
  /**
   * One atomic step: readers see this generation from the next snapshot on, and the live one is retired.
   * With a lease, throws `FencedError` when another leader has taken over.
   */
  promote(generation: Generation, lease?: Lease): Promise<void>
  /** Retires the live generation without a successor: the model is gone for readers. A lease fences as above. */
  demote(projection: string, lease?: Lease): Promise<void>
  /** Deletes its documents. Refused for the live generation; a generation that is already gone is no error. A lease fences as above. */
  dropGeneration(generation: Generation, lease?: Lease): Promise<void>
}
