import type { Binary, Db, Collection as MongoCollection } from 'mongodb'
import type { Checkpoint, Generation, Lease, StoredHealth } from '../../ports/document-store.js'

/**
 * The generations of a projection and its lease, in one document: every change is one atomic step, without a transaction
 * that a killed process could leave open.
 */
export interface ProjectionDoc {
  _id: string
  /** The last number assigned. Numbers are never reused: another process may still write to a dropped generation. */
  last?: number
  /** The number of the live generation. */
  live?: number
  generations?: GenerationEntry[]
  holder?: string
  epoch?: number
  expiresAt?: Date
  /** What the leader said last, and when: by the server's clock. */
  health?: StoredHealth
  healthAt?: Date
}

export interface GenerationEntry {
  number: number
  version: number
  createdAt: Date
  promoted: boolean
  /** Some of its collections are missing. If the leader dies before it is done, the next one drops the generation. */
  unfinished?: 'making' | 'dropping'
}

/** Written by every commit of a generation, so a change stream on these documents reports every commit. */
export interface CheckpointDoc {
  /** `feed_v2_g7`, which is also the first part of the names of the generation's collections. */
  _id: string
  checkpoint: Checkpoint
  /** The invalidation log, for readers that ask for it. */
  trail?: string
  /** The commit that wrote it: a repeated attempt recognises itself. */
  by?: string
  /** The server session in which the leader commits, so that the next leader can kill an open transaction. */
  writer: Binary | null
  /** The session of its group commits. */
  together?: Binary | null
}

export interface ControlRecordDoc {
  _id: { kind: string; id: string }
  revision: number
  value: unknown
}

export const projectionsIn = (db: Db): MongoCollection<ProjectionDoc> => db.collection('projections')
export const checkpointsIn = (db: Db): MongoCollection<CheckpointDoc> => db.collection('checkpoints')
export const controlRecordsIn = (db: Db): MongoCollection<ControlRecordDoc> => db.collection('notes')

type GenerationKey = Pick<Generation, 'projection' | 'version' | 'number'>

export const generationId = ({ projection, version, number }: GenerationKey): string => `${projection}_v${version}_g${number}`

/** The first part of the names of a generation's collections. */
export const collectionPrefix = (generation: GenerationKey): string => `${generationId(generation)}_`

export function toGenerations({ _id: projection, live, generations = [] }: ProjectionDoc): Generation[] {
  const finished = generations.filter(({ unfinished }) => unfinished === undefined)
  const all = finished.map(({ number, version, createdAt, promoted }): Generation => {
    const state = number === live ? 'live' : promoted ? 'retired' : 'loading'
    return { projection, version, number, state, createdAt: createdAt.getTime() }
  })
  return all.sort((a, b) => a.number - b.number)
}

/** Matches only while no other leader has taken over. */
export const leaseFilter = (lease: Lease | undefined) => (lease === undefined ? {} : { epoch: lease.epoch })

/** Matches only while this is the stored checkpoint. */
export function checkpointFilter({ position, epoch, slice }: Checkpoint) {
  const fanOut =
    slice === null ? { 'checkpoint.slice': null } : { 'checkpoint.slice.step': slice.step, 'checkpoint.slice.afterId': slice.afterId }
  return { 'checkpoint.position': position, 'checkpoint.epoch': epoch, ...fanOut }
}

/** Notifies listeners in other processes of a change that is not a commit. */
export async function signalChange(db: Db): Promise<void> {
  await db.collection<{ _id: string }>('checkpoints').updateOne({ _id: 'bell' }, { $currentDate: { rung: true } }, { upsert: true })
}
