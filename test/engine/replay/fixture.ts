/** A community with its models built, a scratch store, and ways to damage what must not be damaged. */

import { join } from 'node:path'
import type { Test } from 'tap'
import { openDatabase } from '../../../src/adapters/sqlite/database.js'
import { recordDiscard } from '../../../src/engine/dead-letters/discards.js'
import { replayParked } from '../../../src/engine/dead-letters/replay-parked.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../../src/engine/fold/generation-writer.js'
import type { Verification } from '../../../src/engine/replay/verify.js'
import type { Collection, Doc, DocumentStore, GenerationStore } from '../../../src/ports/document-store.js'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import type { Told } from '../../spec/events.js'
import { openedStore } from '../../spec/opened-store.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { decode } from '../../support/decode.js'
import { liveOf, withLive } from '../../support/live-documents.js'
import { replacing } from '../../support/replacing.js'

export class ReplayFixture {
  readonly folder: DataFolder
  readonly #script: Script
  readonly #t: Test
  /** What the models are projected with, if not with the program's own code. */
  code: (projection: Projection) => Projection = (projection) => projection

  /** `told` instead of the small community. */
  static async open(t: Test, ...told: readonly Told[]): Promise<ReplayFixture> {
    const folder = await DataFolder.open(t)
    const script = new Script()
    await folder.append(script.write(...(told.length > 0 ? told : COMMUNITY)))
    await folder.project()
    return new ReplayFixture(t, folder, script)
  }

  private constructor(t: Test, folder: DataFolder, script: Script) {
    this.#t = t
    this.folder = folder
    this.#script = script
  }

  get log() {
    return this.folder.log
  }

  get store(): DocumentStore {
    return this.folder.documents
  }

  /** The same store, but a snapshot waits until something has happened. */
  seenAfter(happening: () => Promise<void>): DocumentStore {
    const { store } = this
    return replacing(store, {
      async snapshot(...args) {
        await happening()
        return store.snapshot(...args)
      },
    })
  }

  scratch(): Promise<DocumentStore> {
    return openedStore(this.#t)
  }

  async append(...told: readonly Told[]): Promise<void> {
    await this.folder.append(this.#script.write(...told))
  }

  /** Appends events and projects them. */
  async tell(...told: readonly Told[]): Promise<void> {
    await this.append(...told)
    await this.folder.project(this.code)
  }

  /** Appends one more event, whose leader crashes when a part of the fan-out is committed. */
  async tellHalf(projection: Projection, told: Told): Promise<void> {
    const { last } = await this.log.bounds()
    await this.append(told)
    const events = (await this.log.read(last, 1)).map((record) => ({ record, decoded: decode(record) }))
    const whole = withDeadLetters(projection)
    const opened = await this.store.openGeneration(await liveOf(this.store, projection), whole.collections)
    try {
      const commit: GenerationStore['commit'] = async (slice) => {
        await opened.commit(slice)
        throw new LeaderDied()
      }
      const writer = await GenerationWriter.open(whole, replacing(opened, { commit }), (await opened.checkpoint()).epoch, false)
      await writer.advance(events).catch((error) => {
        if (!(error instanceof LeaderDied)) throw error
      })
      if ((await opened.checkpoint()).slice === null) throw new Error('the whole fan-out went into one commit')
    } finally {
      await opened.close()
    }
  }

  /** Discards an event and folds what has waited for it, as a leader does. */
  async discard(projection: Projection, aggregate: string, position: number): Promise<void> {
    const whole = withDeadLetters(projection)
    const generation = await this.store.openGeneration(await liveOf(this.store, projection), whole.collections)
    try {
      await recordDiscard(this.store, projection.name, position, 'a test')
      const { epoch } = await generation.checkpoint()
      await replayParked({ projection: whole, store: this.store, log: this.log, generation }, epoch, [aggregate])
    } finally {
      await generation.close()
    }
  }

  /** Runs a statement on the file of the live generation, as an outside tool could. */
  async runSql(projection: Projection, sql: string, ...values: string[]): Promise<void> {
    const { version, number } = await liveOf(this.store, projection)
    const db = openDatabase(join(this.folder.path, 'models', `${projection.name}_v${version}_g${number}.db`))
    try {
      db.prepare(sql).run(...values)
    } finally {
      db.close()
    }
  }

  /** Writes a document of the live generation as no event would. */
  async damage<D extends Doc>(
    projection: Projection,
    collection: Collection<D>,
    id: string,
    change: (doc: D) => D | undefined,
  ): Promise<void> {
    await withLive(this.store, projection, async (opened) => {
      const from = await opened.checkpoint()
      const [before] = await opened.get(collection, [id])
      const after = change(before ?? ({ _id: id } as D))
      await opened.commit({ from, to: from, writes: [{ collection, id, before, after }] })
    })
  }
}

class LeaderDied extends Error {}

export function projectionOf(name: string): Projection {
  const found = projections.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`no projection ${name}`)
  return found
}

/** What differs, and where. */
export const brief = ({ discrepancies }: Pick<Verification, 'discrepancies'>) =>
  discrepancies.map(({ collection, id, kind, fields }) => [`${collection.name}/${id}`, kind, ...fields.map(({ path }) => path)])
