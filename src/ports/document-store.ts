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

/** Makes one document store of an adapter's three ports. */
export function joinPorts(models: Models, generations: Generations, coordination: Coordination, close: () => Promise<void>): DocumentStore {
  return {
    openGeneration: models.openGeneration.bind(models),
    snapshot: models.snapshot.bind(models),
    onChange: models.onChange.bind(models),
    projections: generations.projections.bind(generations),
    generations: generations.generations.bind(generations),
    createGeneration: generations.createGeneration.bind(generations),
    promote: generations.promote.bind(generations),
    demote: generations.demote.bind(generations),
    dropGeneration: generations.dropGeneration.bind(generations),
    acquireLease: coordination.acquireLease.bind(coordination),
    renewLease: coordination.renewLease.bind(coordination),
    releaseLease: coordination.releaseLease.bind(coordination),
    leads: coordination.leads.bind(coordination),
    controlRecords: coordination.controlRecords.bind(coordination),
    putControlRecord: coordination.putControlRecord.bind(coordination),
    deleteControlRecord: coordination.deleteControlRecord.bind(coordination),
    onControlRecord: coordination.onControlRecord.bind(coordination),
    close,
  }
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
