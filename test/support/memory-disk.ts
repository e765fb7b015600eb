import { type ControlRecord, FencedError, type Generation, type Lease, type ProjectionHealth } from '../../src/ports/document-store.js'
import type { GenerationData } from './memory-generation.js'

/** What all handles of one store share, in place of a disk. */
export class MemoryDisk {
  readonly generations = new Map<string, GenerationData>()
  readonly leases = new Map<string, Lease & { expiresAt: number; saidAt: number; health: ProjectionHealth | null; healthEpoch?: number }>()
  readonly records = new Map<string, ControlRecord>()
  readonly #listeners = new Set<() => void>()
  lastNumber = 0

  /** Never from inside a commit: a listener may read, and expects to see it. */
  notify(): void {
    for (const listener of this.#listeners) setImmediate(() => this.#listeners.has(listener) && listener())
  }

  listen(listener: () => void): () => void {
    // Wrapped, so that the same listener given twice is two listeners.
    const wrapped = () => listener()
    this.#listeners.add(wrapped)
    return () => this.#listeners.delete(wrapped)
  }

  find(generation: Generation): GenerationData | undefined {
    return this.generations.get(generationKey(generation))
  }

  get(generation: Generation): GenerationData {
    const data = this.find(generation)
    if (data === undefined) throw new Error(`there is no generation ${generationKey(generation)}`)
    return data
  }

  live(projection: string): GenerationData | undefined {
    return [...this.generations.values()].find(({ generation }) => generation.projection === projection && generation.state === 'live')
  }

  lease({ projection, holder, epoch }: Lease) {
    const held = this.leases.get(projection)
    return held?.holder === holder && held.epoch === epoch ? held : undefined
  }

  checkLease(lease: Lease | undefined): void {
    if (lease !== undefined && this.lease(lease) === undefined) throw new FencedError(`epoch ${lease.epoch} is over`)
  }
}

export const generationKey = ({ projection, number }: Generation): string => `${projection}#${number}`
