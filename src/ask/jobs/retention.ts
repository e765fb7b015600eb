import type { EventStore } from '../../ports/event-store.js'
import { KEY_CATEGORY } from './idempotency-keys.js'
import { JOB_CATEGORY, RETENTION_S } from './job-events.js'

/** Jobs and the keys they were asked for with are forgotten after a day. Saying so again changes nothing. */
export async function setRetention(store: EventStore): Promise<void> {
  for (const category of [JOB_CATEGORY, KEY_CATEGORY]) await store.retain(category, RETENTION_S)
}
