import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { DocumentStore } from '../ports/document-store.js'

/** An action on the admin host. Written before the action is requested, so that none goes unrecorded. */
const AuditEntry = z.object({
  at: z.number(),
  /** How the operator proved the right: admin token, a session opened with it, or a loopback address. */
  who: z.enum(['token', 'session', 'loopback']),
  address: z.string(),
  /** The `reqId` of the log. */
  requestId: z.string(),
  projection: z.string(),
  /** The action in words. */
  what: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const RECORD_KIND = 'audit'
/** The latest; the log has the rest. */
const MAX_ENTRIES = 200

export async function recordAudit(store: DocumentStore, entry: AuditEntry): Promise<void> {
  const id = `${String(entry.at).padStart(15, '0')}-${randomUUID().slice(0, 8)}`
  const record = await store.putControlRecord({ kind: RECORD_KIND, id, revision: 0, value: entry })
  if (record === null) throw new Error(`there is an audit entry ${id} already`)
  const records = await store.controlRecords(RECORD_KIND)
  for (const old of records.slice(0, -MAX_ENTRIES)) await store.deleteControlRecord(RECORD_KIND, old.id)
}

/** The newest first. */
export async function latestAudit(store: DocumentStore, count: number): Promise<AuditEntry[]> {
  const records = await store.controlRecords(RECORD_KIND)
  const latest = records.slice(-count).reverse()
  return latest.map(({ value }) => AuditEntry.parse(value))
}
