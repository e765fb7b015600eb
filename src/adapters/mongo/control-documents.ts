import type { Binary, Db, Collection as MongoCollection } from 'mongodb'
import type { Checkpoint, Generation, Lease } from '../../ports/document-store.js'

/**
 * What there is of a projection and who leads it: one document, so that every change of either is one atomic step,
 * and none needs a transaction that a killed process could leave open.
 */
export interface ProjectionDoc {
  _id: string
  /** The number given out last. They never come back: another process may still write to a dropped generation. */
  last?: number
  /** The number of the generation that readers see. */
  live?: number
  generations?: GenerationEntry[]
  holder?: string
  epoch?: number
  expiresAt?: Date
}

export interface GenerationEntry {
  number: number
  version: number
  createdAt: Date
  promoted: boolean
  /** Its collections are not all there, yet or any more. Whoever did this may have died: the next leader sweeps up. */
  unfinished?: 'making' | 'dropping'
}

/** Written by every commit of a generation. A change stream on these hears of every commit. */
export interface CheckpointDoc {
  /** `feed_v2_g7`, which also begins the names of the generation's collections. */
  _id: string
  checkpoint: Checkpoint
  /** What the latest commits have touched, for readers who ask for it. */
  trail?: string
  /** Which commit wrote it: its own repetition recognises it. */
  by?: string
  /** The server session in which the leader commits, so that the next one can end a transaction it left open. */
  writer: Binary | null
  /** The one in which the leader commits several generations at once. */
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

/** How the names of a generation's collections begin. */
export const collectionPrefix = (generation: GenerationKey): string => `${generationId(generation)}_`

export function toGenerations({ _id: projection, live, generations = [] }: ProjectionDoc): Generation[] {
  const whole = generations.filter(({ unfinished }) => unfinished === undefined)
  const all = whole.map(({ number, version, createdAt, promoted }): Generation => {
    const state = number === live ? 'live' : promoted ? 'retired' : 'loading'
    return { projection, version, number, state, createdAt: createdAt.getTime() }
  })
  return all.sort((a, b) => a.number - b.number)
}

/** Passes only while nobody else has led since. */
export const leaseFilter = (lease: Lease | undefined) => (lease === undefined ? {} : { epoch: lease.epoch })

/** Passes only while the stored checkpoint is at this very place. */
export function checkpointFilter({ position, epoch, slice }: Checkpoint) {
  const within = slice === null ? { 'checkpoint.slice': null } : fanOutFilter(slice)
  return { 'checkpoint.position': position, 'checkpoint.epoch': epoch, ...within }
}

const fanOutFilter = ({ step, afterId }: NonNullable<Checkpoint['slice']>) => ({
  'checkpoint.slice.step': step,
  'checkpoint.slice.afterId': afterId,
})

/** Tells listeners in other processes of something that is not a commit. */
export async function signalChange(db: Db): Promise<void> {
  await db.collection<{ _id: string }>('checkpoints').updateOne({ _id: 'bell' }, { $currentDate: { rung: true } }, { upsert: true })
}
