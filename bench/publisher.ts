import { connect } from 'nats'
import { DEFAULT_PREFIX, toMessage } from '../src/adapters/nats/message.js'
import type { EventLog, NewRecord } from '../src/ports/event-log.js'

/** Publishes while visibility is measured. It shares the machine's cores, so it has to be cheap. */
export interface Publisher {
  publish(records: readonly NewRecord[]): Promise<void>
  close(): Promise<void>
}

/** As the backend does it: straight to the stream. `vitrine publish` also checks for known ids. */
export async function natsPublisher(servers: string): Promise<Publisher> {
  const connection = await connect({ servers })
  const jetstream = connection.jetstream()
  return {
    async publish(records) {
      await Promise.all(
        records.map((record) => {
          const { subject, payload, headers } = toMessage(DEFAULT_PREFIX, record)
          return jetstream.publish(subject, payload, { headers })
        }),
      )
    },
    close: () => connection.close(),
  }
}

export const logPublisher = (log: EventLog): Publisher => ({
  async publish(records) {
    await log.append(records)
  },
  async close() {},
})
