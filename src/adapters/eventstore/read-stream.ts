import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type ReadStreamOptions,
  type RecordedEvent,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { eventsOfCall } from './events-of-call.js'
import { AT_LEADER, withRetry } from './retry.js'

/** The events of a small stream; none if there is no such stream. */
export function readStream(client: EventStoreDBClient, stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> {
  return withRetry(async (late) => {
    const events: RecordedEvent[] = []
    try {
      for await (const { event } of eventsOfCall(client.readStream(stream, { ...AT_LEADER, ...options }), late)) {
        if (event !== undefined) events.push(event)
      }
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error
    }
    return events
  })
}

/** The last first. */
export const newest = (maxCount: number): ReadStreamOptions => ({ direction: BACKWARDS, fromRevision: END, maxCount })
