import type { Position } from '../../src/ports/event-log.js'
import { type EventStore, EventStoreUnavailableError, type OnReached } from '../../src/ports/event-store.js'
import type { UnreliableConnection } from './unreliable-stores.js'

export function unreliableEventStore(store: EventStore, connection: UnreliableConnection): EventStore {
  const unreachable = EventStoreUnavailableError
  return {
    append: (...args) => connection.write('appending to a stream', () => store.append(...args)),
    read: (...args) => connection.read('reading a stream', () => store.read(...args), unreachable),
    delete: (...args) => connection.write('deleting a stream', () => store.delete(...args)),
    close: async () => {},
    async *subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached) {
      for await (const event of store.subscribe(category, after, signal, onReached)) {
        await connection.read('delivering an event', async () => {}, unreachable)
        yield event
      }
    },
  }
}
