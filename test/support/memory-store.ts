import { type DocumentStore, joinPorts } from '../../src/ports/document-store.js'
import { MemoryCoordination } from './memory-coordination.js'
import { MemoryDisk } from './memory-disk.js'
import { MemoryGenerations } from './memory-generations.js'
import { MemoryModels } from './memory-models.js'

export interface MemoryStore extends DocumentStore {
  /** Another handle on the same data, as another process would have. */
  another(): MemoryStore
}

/** Read models in memory, for tests that open thousands of stores. Passes the same contract as the real ones. */
export function memoryStore(disk = new MemoryDisk()): MemoryStore {
  const stops: (() => void)[] = []
  const listen = (listener: () => void) => {
    const stop = disk.listen(listener)
    stops.push(stop)
    return stop
  }
  const close = async () => {
    for (const stop of stops) stop()
  }
  const ports = joinPorts(new MemoryModels(disk, listen), new MemoryGenerations(disk), new MemoryCoordination(disk, listen), close)
  return { ...ports, another: () => memoryStore(disk) }
}
