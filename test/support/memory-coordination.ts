import type { ControlRecord, Coordination, Lease } from '../../src/ports/document-store.js'
import type { MemoryDisk } from './memory-disk.js'

export class MemoryCoordination implements Coordination {
  readonly #disk: MemoryDisk
  readonly #listen: MemoryDisk['listen']

  constructor(disk: MemoryDisk, listen: MemoryDisk['listen']) {
    this.#disk = disk
    this.#listen = listen
  }

  async acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    const held = this.#disk.leases.get(projection)
    if (held !== undefined && held.expiresAt > Date.now()) return null
    const lease: Lease = { projection, holder, epoch: (held?.epoch ?? 0) + 1 }
    this.#disk.leases.set(projection, { ...lease, expiresAt: Date.now() + ttlMs })
    return lease
  }

  async renewLease(lease: Lease, ttlMs: number): Promise<boolean> {
    const held = this.#disk.lease(lease)
    if (held === undefined || held.expiresAt === 0) return false
    held.expiresAt = Date.now() + ttlMs
    return true
  }

  async releaseLease(lease: Lease): Promise<void> {
    const held = this.#disk.lease(lease)
    if (held !== undefined) held.expiresAt = 0
  }

  async leases(): Promise<Lease[]> {
    const held = [...this.#disk.leases.values()].filter(({ expiresAt }) => expiresAt > Date.now())
    return held
      .map(({ projection, holder, epoch }) => ({ projection, holder, epoch }))
      .sort((a, b) => (a.projection < b.projection ? -1 : 1))
  }

  async controlRecords(kind: string): Promise<ControlRecord[]> {
    const found = [...this.#disk.records.values()].filter((record) => record.kind === kind)
    return structuredClone(found.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }

  async putControlRecord({ kind, id, revision, value }: ControlRecord): Promise<ControlRecord | null> {
    const key = recordKey(kind, id)
    if ((this.#disk.records.get(key)?.revision ?? 0) !== revision) return null
    const record: ControlRecord = { kind, id, revision: revision + 1, value: JSON.parse(JSON.stringify(value)) }
    this.#disk.records.set(key, record)
    this.#disk.notify()
    return structuredClone(record)
  }

  async deleteControlRecord(kind: string, id: string): Promise<void> {
    this.#disk.records.delete(recordKey(kind, id))
    this.#disk.notify()
  }

  onControlRecord(listener: () => void): () => void {
    return this.#listen(listener)
  }
}

const recordKey = (kind: string, id: string): string => `${kind}\0${id}`
