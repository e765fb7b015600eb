import {
  type Checkpoint,
  type Commit,
  type Doc,
  FencedError,
  type Generation,
  type GenerationStore,
  type RunStep,
  type Write,
} from '../../src/ports/document-store.js'
import { type DocumentsByCollection, keep, MemoryReads, type StoredDocument } from './memory-reads.js'

/** What remains when every handle is closed. */
export interface GenerationData {
  generation: Generation
  documents: DocumentsByCollection
  checkpoint: Checkpoint
  invalidationLog: string | null
  indexed: boolean
  /** The last in the queue of writers, which take turns, as on a real store. */
  writers: Promise<unknown>
}

/** One generation in memory, opened by its writer. Copies everything it takes and returns. */
export class MemoryGeneration extends MemoryReads implements GenerationStore {
  readonly generation: Generation
  readonly #data: GenerationData
  readonly #committed: () => void

  constructor(data: GenerationData, generation: Generation, committed: () => void) {
    super(
      () => data.documents,
      () => data.indexed,
    )
    this.generation = generation
    this.#data = data
    this.#committed = committed
  }

  async checkpoint(): Promise<Checkpoint> {
    return structuredClone(this.#data.checkpoint)
  }

  fence(epoch: number): Promise<Checkpoint> {
    return this.#inTurn(async () => {
      if (this.#data.checkpoint.epoch > epoch) throw new FencedError(`epoch ${epoch} is over`)
      this.#data.checkpoint = { ...this.#data.checkpoint, epoch }
      return this.checkpoint()
    })
  }

  commit({ from, to, writes, invalidationLog }: Commit): Promise<void> {
    return this.#inTurn(async () => {
      const data = this.#data
      if (placeOf(data.checkpoint) !== placeOf(from)) throw new FencedError(`at ${placeOf(data.checkpoint)}, not at ${placeOf(from)}`)
      data.documents = written(data.documents, writes)
      data.checkpoint = structuredClone(to)
      if (invalidationLog !== undefined) data.invalidationLog = invalidationLog
      this.#committed()
    })
  }

  async buildIndexes(runStep: RunStep = (step) => step()): Promise<void> {
    await runStep(async () => {
      this.#data.indexed = true
    })
  }

  async close(): Promise<void> {}

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#data.writers.then(work)
    this.#data.writers = turn.catch(() => {})
    return turn
  }
}

function written(documents: DocumentsByCollection, writes: readonly Write[]): DocumentsByCollection {
  const next = new Map(documents)
  const fresh = new Map<string, Map<string, StoredDocument>>()
  for (const { collection, id, before, after } of writes) {
    const changed = fresh.get(collection.name) ?? new Map(documents.get(collection.name))
    fresh.set(collection.name, changed)
    next.set(collection.name, changed)
    checkBefore(`${collection.name}/${id}`, changed.get(id), before)
    if (after === undefined) changed.delete(id)
    else changed.set(id, keep(after))
  }
  return next
}

/** Real stores trust `before`, and derive the index entries to delete from it. */
function checkBefore(name: string, stored: StoredDocument | undefined, before: Doc | undefined): void {
  const claimed = before === undefined ? undefined : JSON.stringify(before)
  if (stored?.text !== claimed) throw new Error(`${name} is replaced as ${claimed} but is ${stored?.text}`)
}

const placeOf = ({ epoch, position, slice }: Checkpoint): string => JSON.stringify([epoch, position, slice?.step, slice?.afterId])
