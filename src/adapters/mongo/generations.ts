import type { Db } from 'mongodb'
import type { Collection } from '../../ports/collection.js'
import type { Lease } from '../../ports/coordination.js'
import { FencedError } from '../../ports/document-store.js'
import type { Generation, Generations } from '../../ports/generations.js'
import { CoalescedReads } from './coalesced-reads.js'
import { leaseFilter, type ProjectionDoc, projectionsIn, toGenerations } from './control-documents.js'
import { translateErrors } from './errors.js'
import { createGeneration, dropCollections, markDropping } from './generation-lifecycle.js'

/** Generations as entries in the document of their projection, each with collections of its own. */
export class MongoGenerations implements Generations {
  readonly #db: Db
  readonly #announceChange: () => Promise<void>
  /** All of them: there are only a few. */
  readonly #projections: CoalescedReads<ProjectionDoc[]>

  constructor(db: Db, announceChange: () => Promise<void>) {
    this.#db = db
    this.#announceChange = announceChange
    this.#projections = new CoalescedReads(() => projectionsIn(db).find().toArray())
  }

  generations(projection: string): Promise<Generation[]> {
    return translateErrors(async () => {
      const found = (await this.#projections.get('all')).find(({ _id }) => _id === projection)
      return found === undefined ? [] : toGenerations(found)
    })
  }

  createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    return translateErrors(() => createGeneration(this.#db, projection, version, collections))
  }

  promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    return translateErrors(async () => {
      const finished = { generations: { $elemMatch: { number, unfinished: { $exists: false } } } }
      const promoted = await projectionsIn(this.#db).updateOne(
        { _id: projection, ...finished, ...leaseFilter(lease) },
        { $set: { live: number, 'generations.$.promoted': true } },
      )
      if (promoted.matchedCount === 0) throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is gone`)
      await this.#announceChange()
    })
  }

  dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    return translateErrors(async () => {
      const { projection, number } = generation
      if (!(await markDropping(this.#db, generation, lease)))
        throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is live`)
      await dropCollections(this.#db, generation)
      await this.#announceChange()
    })
  }

  async #fencedOr(projection: string, lease: Lease | undefined, otherwise: string): Promise<Error> {
    const epoch = (await projectionsIn(this.#db).findOne({ _id: projection }))?.epoch
    if (lease === undefined || epoch === lease.epoch) return new Error(otherwise)
    return new FencedError(`epoch ${lease.epoch} is over: ${epoch} leads ${projection} now`)
  }
}
