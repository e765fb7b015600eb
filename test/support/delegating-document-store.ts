import type { Collection } from '../../src/ports/collection.js'
import type { ControlRecord, Coordination, Lease, ProjectionHealth } from '../../src/ports/coordination.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { Generation, Generations } from '../../src/ports/generations.js'
import type { Models, SnapshotOptions } from '../../src/ports/models.js'

/** One document store of three ports, as a class that tests can extend. The real adapters use `joinPorts`. */
export abstract class DelegatingDocumentStore implements DocumentStore {
  readonly #models: Models
  readonly #generations: Generations
  readonly #coordination: Coordination

  constructor(models: Models, generations: Generations, coordination: Coordination) {
    this.#models = models
    this.#generations = generations
    this.#coordination = coordination
  }

  abstract close(): Promise<void>

  openGeneration(generation: Generation, collections: readonly Collection[]) {
    return this.#models.openGeneration(generation, collections)
  }

  snapshot(projections: readonly string[], options?: SnapshotOptions) {
    return this.#models.snapshot(projections, options)
  }

  onChange(listener: () => void) {
    return this.#models.onChange(listener)
  }

  projections() {
    return this.#generations.projections()
  }

  generations(projection: string) {
    return this.#generations.generations(projection)
  }

  createGeneration(projection: string, version: number, collections: readonly Collection[]) {
    return this.#generations.createGeneration(projection, version, collections)
  }

  promote(generation: Generation, lease?: Lease) {
    return this.#generations.promote(generation, lease)
  }

  demote(projection: string, lease?: Lease) {
    return this.#generations.demote(projection, lease)
  }

  dropGeneration(generation: Generation, lease?: Lease) {
    return this.#generations.dropGeneration(generation, lease)
  }

  acquireLease(projection: string, holder: string, ttlMs: number, health?: ProjectionHealth) {
    return this.#coordination.acquireLease(projection, holder, ttlMs, health)
  }

  renewLease(lease: Lease, ttlMs: number, health?: ProjectionHealth) {
    return this.#coordination.renewLease(lease, ttlMs, health)
  }

  releaseLease(lease: Lease, health?: ProjectionHealth) {
    return this.#coordination.releaseLease(lease, health)
  }

  leads() {
    return this.#coordination.leads()
  }

  controlRecords(kind: string) {
    return this.#coordination.controlRecords(kind)
  }

  putControlRecord(record: ControlRecord) {
    return this.#coordination.putControlRecord(record)
  }

  deleteControlRecord(kind: string, id: string) {
    return this.#coordination.deleteControlRecord(kind, id)
  }

  onControlRecord(listener: () => void) {
    return this.#coordination.onControlRecord(listener)
  }
}
