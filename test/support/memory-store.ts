import { DelegatingDocumentStore } from './delegating-document-store.js'
import { MemoryCoordination } from './memory-coordination.js'
import { MemoryDisk } from './memory-disk.js'
import { MemoryGenerations } from './memory-generations.js'
import { MemoryModels } from './memory-models.js'

/** Read models in memory, for tests that open thousands of stores. Passes the same contract as the real ones. */
export class MemoryDocumentStore extends DelegatingDocumentStore {
  readonly #disk: MemoryDisk
  /** Stop the listeners of this handle. */
  readonly #stops: (() => void)[]

  constructor(disk = new MemoryDisk()) {
    const stops: (() => void)[] = []
    const listen = (listener: () => void) => {
      const stop = disk.listen(listener)
      stops.push(stop)
      return stop
    }
    super(new MemoryModels(disk, listen), new MemoryGenerations(disk), new MemoryCoordination(disk, listen))
    this.#disk = disk
    this.#stops = stops
  }

  /** Another handle on the same data, as another process would have. */
  another(): MemoryDocumentStore {
    return new MemoryDocumentStore(this.#disk)
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
  }
}
