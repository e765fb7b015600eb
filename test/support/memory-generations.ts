import type { Generation, Generations, Lease } from '../../src/ports/document-store.js'
import { START } from '../../src/ports/event-log.js'
import { generationKey, type MemoryDisk } from './memory-disk.js'

export class MemoryGenerations implements Generations {
  readonly #disk: MemoryDisk

  constructor(disk: MemoryDisk) {
    this.#disk = disk
  }

  async projections(): Promise<string[]> {
    return [...new Set([...this.#disk.generations.values()].map(({ generation }) => generation.projection))].sort()
  }

  async generations(projection: string): Promise<Generation[]> {
    const all = [...this.#disk.generations.values()].map(({ generation }) => ({ ...generation }))
    return all.filter((generation) => generation.projection === projection).sort((a, b) => a.number - b.number)
  }

  async createGeneration(projection: string, version: number): Promise<Generation> {
    this.#disk.lastNumber += 1
    const generation: Generation = { projection, version, number: this.#disk.lastNumber, state: 'loading', createdAt: Date.now() }
    this.#disk.generations.set(generationKey(generation), {
      generation,
      documents: new Map(),
      checkpoint: { position: START, eventId: null, slice: null, epoch: 0, tallies: {}, floor: START },
      invalidationLog: null,
      indexed: false,
      writers: Promise.resolve(),
    })
    return { ...generation }
  }

  async promote(promoted: Generation, lease?: Lease): Promise<void> {
    this.#disk.checkLease(lease)
    const target = this.#disk.get(promoted)
    const live = this.#disk.live(promoted.projection)
    if (live !== undefined) live.generation.state = 'retired'
    target.generation.state = 'live'
    this.#disk.notify()
  }

  async demote(projection: string, lease?: Lease): Promise<void> {
    this.#disk.checkLease(lease)
    const live = this.#disk.live(projection)
    if (live !== undefined) live.generation.state = 'retired'
    this.#disk.notify()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    this.#disk.checkLease(lease)
    if (this.#disk.find(generation)?.generation.state === 'live') throw new Error(`${generationKey(generation)} is live`)
    this.#disk.generations.delete(generationKey(generation))
    this.#disk.notify()
  }
}
