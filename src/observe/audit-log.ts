import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { DocumentStore } from '../ports/document-store.js'

/** That somebody has asked for something on the admin host. Written before it is asked for: nothing happens unseen. */
const AuditEntry = z.object({
  at: z.number(),
  /** By which right: the admin token, a session opened with it, or being on this machine. */
  who: z.enum(['token', 'session', 'loopback']),
  address: z.string(),
  /** The HTTP request, as the log names it. */
  requestId: z.string(),
  projection: z.string(),
  /** In words: what was asked for. */
  what: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const NOTE_KIND = 'audit'
/** Enough to see what was done lately; the log has the rest. */
const MAX_ENTRIES = 200

export class AuditLog {
  readonly #store: DocumentStore

  constructor(store: DocumentStore) {
    this.#store = store
  }

  async record(entry: AuditEntry): Promise<void> {
    const id = `${String(entry.at).padStart(15, '0')}-${randomUUID().slice(0, 8)}`
    const note = await this.#store.putControlRecord({ kind: NOTE_KIND, id, revision: 0, value: entry })
    if (note === null) throw new Error(`there is an audit entry ${id} already`)
    const notes = await this.#store.controlRecords(NOTE_KIND)
    for (const old of notes.slice(0, -MAX_ENTRIES)) await this.#store.deleteControlRecord(NOTE_KIND, old.id)
  }

  /** The newest first. */
  async latest(count: number): Promise<AuditEntry[]> {
    const notes = await this.#store.controlRecords(NOTE_KIND)
    return notes
      .slice(-count)
      .reverse()
      .map(({ value }) => AuditEntry.parse(value))
  }
}
