/** The right to lead until it expires by the store's clock. */
export interface Lease {
  /** A projection, or `feed@2` for a claim on one of its versions. */
  projection: string
  holder: string
  /** Grows with every acquisition. */
  epoch: number
}

export interface Leases {
  /** `null` while another holder has it. */
  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null>
  /** False once another holder has taken it, or it was released. One that has only expired goes on. */
  renewLease(lease: Lease, ttlMs: number): Promise<boolean>
  releaseLease(lease: Lease): Promise<void>
  /** The leases held now, by projection. */
  leases(): Promise<Lease[]>
}

/** A small versioned record outside the generations: an operator's request, a discarded event, a claim to lead, an audit entry. */
export interface ControlRecord {
  kind: string
  id: string
  /** Grows with every change; 0 for a record to be written for the first time. */
  revision: number
  /** Plain JSON. */
  value: unknown
}

export interface ControlRecords {
  /** All of a kind, by id. */
  controlRecords(kind: string): Promise<ControlRecord[]>
  /** Compare-and-set on the revision. Returns the record with its new revision, or `null` when another writer was first. */
  putControlRecord(record: ControlRecord): Promise<ControlRecord | null>
  /** Deleting a record that does not exist is no error. */
  deleteControlRecord(kind: string, id: string): Promise<void>
  /** Calls back soon after a record changed, by any process; may call too often. Returns how to stop. */
  onControlRecord(listener: () => void): () => void
}

/** The port for coordination between processes. */
export interface Coordination extends Leases, ControlRecords {}
