import { plural } from '../lib/message-text.js'
import type { Coordination } from './coordination.js'
import type { Generations } from './generations.js'
import type { Checkpoint, Models } from './models.js'

export type * from './collection.js'
export type * from './coordination.js'
export type * from './generations.js'
export type * from './models.js'

/** One database that serves the three ports. */
export interface DocumentStore extends Models, Generations, Coordination {
  close(): Promise<void>
}

/** Makes one document store of an adapter's three ports. `around` is called instead of each of their methods, with what calls it. */
export const joinPorts = (
  models: Models,
  generations: Generations,
  coordination: Coordination,
  close: () => Promise<void>,
  around: Around = (call) => call(),
): DocumentStore => ({ ...methodsOf(models, around), ...methodsOf(generations, around), ...methodsOf(coordination, around), close })

type Around = <T>(call: () => T) => T

/** Bound, because adapters use private fields, and as properties, because stores are spread. */
function methodsOf<P extends object>(port: P, around: Around): P {
  const isPlain = port.constructor === Object
  const { constructor: _, ...found } = Object.getOwnPropertyDescriptors(isPlain ? port : Object.getPrototypeOf(port))
  // A port has nothing but methods.
  return Object.fromEntries(
    Object.entries(found).map(([name, { value }]) => [name, (...given: unknown[]) => around(() => value.apply(port, given))]),
  ) as P
}

/** Another projector has taken over, or the checkpoint is not where this one left it. */
export class FencedError extends Error {
  override name = 'FencedError'
}

/** `what` it does now: writes or leads a projection. */
export const epochIsOver = (epoch: number, now: number | undefined, what: string): FencedError =>
  new FencedError(`epoch ${epoch} is over: ${now} ${what} now`)

export const checkpointHasMoved = (projection: string, from: Checkpoint, stored: Checkpoint): FencedError =>
  new FencedError(`${projection} is at ${describe(stored)}, not at ${describe(from)} where this projector left it`)

const describe = ({ position, epoch, slice }: Checkpoint): string =>
  `position ${position}${slice ? ` slice ${slice.step}/${slice.afterId}` : ''}, epoch ${epoch}`

/** More than the store takes in one commit. Nothing is written; smaller commits may pass. */
export class CommitTooLargeError extends Error {
  override name = 'CommitTooLargeError'
  constructor(
    readonly changes: number,
    options?: ErrorOptions,
  ) {
    super(`the store has no room for a commit of ${plural(changes, 'change')}`, options)
  }
}

/** The projection has never been loaded. */
export class ModelUnavailableError extends Error {
  override name = 'ModelUnavailableError'
  constructor(
    readonly projection: string,
    cause?: unknown,
  ) {
    super(`the ${projection} model is still being loaded`, { cause })
  }
}

/** The files of an embedded store cannot be used: a full disk, missing permissions, not a database. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** The store does not hold what was written to it. */
export class DamagedStoreError extends StorageError {
  override name = 'DamagedStoreError'
}

/** The stored value is not a document. Its id is given where it is known. */
export class UnreadableDocumentError extends DamagedStoreError {
  override name = 'UnreadableDocumentError'
  constructor(
    collection: string,
    id: string | null,
    readonly reason: string,
  ) {
    super(`${id === null ? `a document of ${collection}` : `${collection}/${id}`} cannot be read: ${reason}`)
  }
}

/** The store cannot be reached at the moment. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}
