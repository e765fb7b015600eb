import {
  type Collection,
  type ControlRecord,
  type DocumentStore,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
  ModelUnavailableError,
  type ModelView,
  type Snapshot,
  type SnapshotOptions,
} from '../../src/ports/document-store.js'
import { type GenerationData, MemoryGeneration } from './memory-generation.js'
import { MemoryReads } from './memory-reads.js'

/** What all handles of one store share: the disk, so to speak. */
class Disk {
  readonly generations = new Map<string, GenerationData>()
  readonly leases = new Map<string, Lease & { expiresAt: number }>()
  readonly notes = new Map<string, ControlRecord>()
  readonly listeners = new Set<() => void>()
  made = 0

  /** Never from inside a commit: a listener may read, and expects to see it. */
  notify(): void {
    for (const listener of this.listeners) setImmediate(() => this.listeners.has(listener) && listener())
  }
}

/** Read models in memory, for tests that open thousands of stores. Passes the same contract as the real ones. */
export class MemoryDocumentStore implements DocumentStore {
  readonly #disk: Disk
  readonly #own = new Set<() => void>()

  constructor(disk = new Disk()) {
    this.#disk = disk
  }

  /** Another handle on the same data, as another process would have. */
  another(): MemoryDocumentStore {
    return new MemoryDocumentStore(this.#disk)
  }

  async generations(projection: string): Promise<Generation[]> {
    const all = [...this.#disk.generations.values()].map(({ generation }) => ({ ...generation }))
    return all.filter((generation) => generation.projection === projection).sort((a, b) => a.number - b.number)
  }

  async createGeneration(projection: string, version: number, _collections: readonly Collection[]): Promise<Generation> {
    this.#disk.made += 1
    const generation: Generation = { projection, version, number: this.#disk.made, state: 'loading', createdAt: Date.now() }
    this.#disk.generations.set(keyOf(generation), {
      generation,
      shelves: new Map(),
      checkpoint: { position: START, eventId: null, slice: null, epoch: 0, tallies: {}, floor: START },
      trail: null,
      indexed: false,
      writers: Promise.resolve(),
    })
    return { ...generation }
  }

  async openGeneration(generation: Generation, _collections: readonly Collection[]): Promise<GenerationStore> {
    return new MemoryGeneration(this.#data(generation), { ...generation }, () => this.#disk.notify())
  }

  async promote(promoted: Generation, lease?: Lease): Promise<void> {
    this.#checkLease(lease)
    const target = this.#data(promoted)
    for (const { generation } of this.#disk.generations.values())
      if (generation.projection === promoted.projection && generation.state === 'live') generation.state = 'retired'
    target.generation.state = 'live'
    this.#disk.notify()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    this.#checkLease(lease)
    if (this.#disk.generations.get(keyOf(generation))?.generation.state === 'live') throw new Error(`${keyOf(generation)} is live`)
    this.#disk.generations.delete(keyOf(generation))
    this.#disk.notify()
  }

  #checkLease(lease: Lease | undefined): void {
    if (lease !== undefined && this.#held(lease) === undefined) throw new FencedError(`epoch ${lease.epoch} is over`)
  }

  async controlRecords(kind: string): Promise<ControlRecord[]> {
    const own = [...this.#disk.notes.values()].filter((note) => note.kind === kind)
    return structuredClone(own.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }

  async putControlRecord({ kind, id, revision, value }: ControlRecord): Promise<ControlRecord | null> {
    const key = `${kind}\0${id}`
    if ((this.#disk.notes.get(key)?.revision ?? 0) !== revision) return null
    const note: ControlRecord = { kind, id, revision: revision + 1, value: JSON.parse(JSON.stringify(value)) }
    this.#disk.notes.set(key, note)
    this.#disk.notify()
    return structuredClone(note)
  }

  async deleteControlRecord(kind: string, id: string): Promise<void> {
    this.#disk.notes.delete(`${kind}\0${id}`)
    this.#disk.notify()
  }

  async acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    const held = this.#disk.leases.get(projection)
    if (held !== undefined && held.expiresAt > Date.now()) return null
    const lease: Lease = { projection, holder, epoch: (held?.epoch ?? 0) + 1 }
    this.#disk.leases.set(projection, { ...lease, expiresAt: Date.now() + ttlMs })
    return lease
  }

  async renewLease(lease: Lease, ttlMs: number): Promise<boolean> {
    const held = this.#held(lease)
    if (held === undefined || held.expiresAt <= Date.now()) return false
    held.expiresAt = Date.now() + ttlMs
    return true
  }

  async releaseLease(lease: Lease): Promise<void> {
    const held = this.#held(lease)
    if (held !== undefined) held.expiresAt = 0
  }

  async leases(): Promise<Lease[]> {
    const held = [...this.#disk.leases.values()].filter(({ expiresAt }) => expiresAt > Date.now())
    return held
      .map(({ projection, holder, epoch }) => ({ projection, holder, epoch }))
      .sort((a, b) => (a.projection < b.projection ? -1 : 1))
  }

  async snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    const views = new Map(projections.map((projection) => [projection, this.#view(projection, invalidationLogs)]))
    return {
      model(projection) {
        const view = views.get(projection)
        if (view === undefined) throw new Error(`the snapshot does not include ${projection}`)
        return view
      },
      release() {},
    }
  }

  onControlRecord(listener: () => void): () => void {
    return this.onChange(listener)
  }

  onChange(listener: () => void): () => void {
    // Wrapped, so that the same listener given twice is two listeners.
    const wrapped = () => listener()
    this.#disk.listeners.add(wrapped)
    this.#own.add(wrapped)
    return () => this.#disk.listeners.delete(wrapped)
  }

  async close(): Promise<void> {
    for (const listener of this.#own) this.#disk.listeners.delete(listener)
  }

  #held({ projection, holder, epoch }: Lease) {
    const held = this.#disk.leases.get(projection)
    return held?.holder === holder && held.epoch === epoch ? held : undefined
  }

  #data(generation: Generation): GenerationData {
    const data = this.#disk.generations.get(keyOf(generation))
    if (data === undefined) throw new Error(`there is no generation ${keyOf(generation)}`)
    return data
  }

  #view(projection: string, trails: boolean): ModelView {
    const live = [...this.#disk.generations.values()].find(
      ({ generation }) => generation.projection === projection && generation.state === 'live',
    )
    if (live === undefined) throw new ModelUnavailableError(projection)
    return new View({ ...live }, { ...live.generation }, trails ? live.trail : null)
  }
}

/** Holds on to the shelves of its moment; later commits make new ones. */
class View extends MemoryReads implements ModelView {
  readonly checkpoint

  constructor(
    { shelves, indexed, checkpoint }: GenerationData,
    readonly generation: Generation,
    readonly invalidationLog: string | null,
  ) {
    super(
      () => shelves,
      () => indexed,
    )
    this.checkpoint = structuredClone(checkpoint)
  }

  /** There is no index that could be wrong. */
  async indexFaults() {
    return []
  }
}

const START = 0 as GenerationData['checkpoint']['position']

const keyOf = ({ projection, number }: Generation): string => `${projection}#${number}`
