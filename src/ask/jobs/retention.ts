import type { EventStore } from '../../ports/event-store.js'
import { KEYS } from './idempotency-keys.js'
import { JOBS, RETENTION_S } from './job-events.js'

/** Jobs and the keys they were asked for with are forgotten after a day. Saying so again changes nothing. */
export async function keepForADay(store: EventStore): Promise<void> {
  for (const category of [JOBS, KEYS]) await store.retain(category, RETENTION_S)
}
