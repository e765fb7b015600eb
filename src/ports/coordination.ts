/** The right to lead until it expires by the store's clock. */
export interface Lease {
  /** A projection, or `feed@2` for a claim on one of its versions. */
  projection: string
  holder: string
  /** Grows with every acquisition. */
  epoch: number
}

/**
 * How a projection stands, by the process that leads it. Times are in milliseconds since 1970. The store keeps them by its own
 * clock: they are given and returned by the clock of the process that asks.
 */
export interface ProjectionHealth {
  /** `live` again only after a commit, or after the log had nothing new. */
  state: 'loading' | 'live' | 'retrying' | 'stopped'
  /** Why not: log or store do not answer, the store refuses to write, or the log is not the one that the documents were made from. */
  reason: 'log' | 'store' | 'refused' | 'foreign' | 'other' | null
  /** One line, without anything from an event or a document. */
  lastError: string | null
  /** When the state began. */
  since: number
  /** In a row. */
  failures: number
  /** The last page, commit, step of a fan-out or replayed aggregate. */
  progressAt: number
  /** The last answer of the log. */
  logReadAt: number
  /** A change of many documents that is under way. `total` is the number found when it began. */
  fanOut: { position: number; done: number; total: number } | null
  /** The last event whose fold held up its process for long. */
  slowFold: { position: number; ms: number; at: number } | null
}

/** What is known of the lead of a projection, also after it has ended. */
export interface Lead extends Lease {
  /** When its holder was last heard of, or when it will be considered lost. */
  until: number
  /** `null`: unknown, for instance because an older release leads. */
  health: ProjectionHealth | null
}

/** `health` is what was said last: with this call, or by the leader before. */
export type AcquiredLease = Lease & Pick<Lead, 'health'>

export interface Leases {
  /** `null` while another holder has it. `health` is said with it: a process that fails may not live to renew. */
  acquireLease(projection: string, holder: string, ttlMs: number, health?: ProjectionHealth): Promise<AcquiredLease | null>
  /** False once another holder has taken it, or it was released. One that has only expired goes on. */
  renewLease(lease: Lease, ttlMs: number, health?: ProjectionHealth): Promise<boolean>
  releaseLease(lease: Lease, health?: ProjectionHealth): Promise<void>
  /** All leads, by projection: a held one has its `until` in the future. */
  leads(): Promise<Lead[]>
}

/** The leases held now, by projection. */
export async function heldLeases(store: Pick<Leases, 'leads'>): Promise<Lease[]> {
  const held = (await store.leads()).filter(({ until }) => until > Date.now())
  return held.map(({ projection, holder, epoch }) => ({ projection, holder, epoch }))
}

/** A health as a store keeps it: with the clock of the process that said it, and the epoch of its lead. */
export interface StoredHealth {
  epoch: number
  saidAt: number
  health: ProjectionHealth
}

/** By this process's clock, from one said `agoMs` ago. */
export function healthFrom({ health, saidAt }: StoredHealth, agoMs: number): ProjectionHealth {
  const shift = Date.now() - agoMs - saidAt
  const { since, progressAt, logReadAt, slowFold } = health
  const times = { since: since + shift, progressAt: progressAt + shift, logReadAt: logReadAt + shift }
  // An older release says nothing of slow folds.
  return { ...health, ...times, slowFold: slowFold ? { ...slowFold, at: slowFold.at + shift } : null }
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
