import type { ControlRecord, Coordination, Lead, Lease, ProjectionHealth } from '../../src/ports/document-store.js'
import type { MemoryDisk } from './memory-disk.js'

export class MemoryCoordination implements Coordination {
  readonly #disk: MemoryDisk
  readonly #listen: MemoryDisk['listen']

  constructor(disk: MemoryDisk, listen: MemoryDisk['listen']) {
    this.#disk = disk
    this.#listen = listen
  }

  async acquireLease(projection: string, holder: string, ttlMs: number, health?: ProjectionHealth) {
    const held = this.#disk.leases.get(projection)
    if (held !== undefined && held.expiresAt > Date.now()) return null
    const lease: Lease = { projection, holder, epoch: (held?.epoch ?? 0) + 1 }
    this.#disk.leases.set(projection, { saidAt: Number.NEGATIVE_INFINITY, health: null, ...held, ...lease, expiresAt: Date.now() + ttlMs })
    if (health !== undefined) await this.renewLease(lease, ttlMs, health)
    return { ...lease, health: held?.health ?? null }
  }

  async renewLease(lease: Lease, ttlMs: number, health?: ProjectionHealth): Promise<boolean> {
    const held = this.#disk.lease(lease)
    if (held === undefined || held.expiresAt === 0) return false
    held.expiresAt = Date.now() + ttlMs
    if (health !== undefined) Object.assign(held, { health, healthEpoch: lease.epoch, saidAt: Date.now() })
    return true
  }

  async releaseLease(lease: Lease, health?: ProjectionHealth): Promise<void> {
    const held = this.#disk.lease(lease)
    if (held === undefined) return
    Object.assign(held, { expiresAt: 0, saidAt: Date.now() })
    if (health !== undefined) Object.assign(held, { health, healthEpoch: lease.epoch })
  }

  async leads(): Promise<Lead[]> {
    const leads = [...this.#disk.leases.values()].map(({ projection, holder, epoch, expiresAt, saidAt, health, healthEpoch }) => ({
      ...{ projection, holder, epoch, until: Math.max(expiresAt, saidAt), health: healthEpoch === epoch ? health : null },
    }))
    return leads.sort((a, b) => (a.projection < b.projection ? -1 : 1))
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
