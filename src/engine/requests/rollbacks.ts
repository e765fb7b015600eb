import type { DocumentStore } from '../../ports/document-store.js'

/** By projection: the version that was taken back. A stored name. */
const KIND = 'rolled-back'

/** To be called before readers go back, so that no process that starts meanwhile undoes it. */
export async function recordRollback(store: DocumentStore, projection: string, fromVersion: number): Promise<void> {
  const record = await recordOf(store, projection)
  await store.putControlRecord({ kind: KIND, id: projection, revision: record?.revision ?? 0, value: { version: fromVersion } })
}

/** An operator wants the newer version again. */
export async function forgetRollback(store: DocumentStore, projection: string): Promise<void> {
  if ((await recordOf(store, projection)) !== undefined) await store.deleteControlRecord(KIND, projection)
}

/** Whether this version was taken back: a process must not build it again by itself. */
export async function wasRolledBack(store: DocumentStore, projection: string, version: number): Promise<boolean> {
  // Releases that keep no record leave the newer generation retired.
  if ((await store.generations(projection)).some((generation) => generation.state === 'retired' && generation.version >= version))
    return true
  const value = (await recordOf(store, projection))?.value
  return typeof value === 'object' && value !== null && 'version' in value && Number(value.version) >= version
}

const recordOf = async (store: DocumentStore, projection: string) => (await store.controlRecords(KIND)).find(({ id }) => id === projection)
