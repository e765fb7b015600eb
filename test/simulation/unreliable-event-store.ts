import type { Position } from '../../src/ports/event-log.js'
import { type EventStore, EventStoreUnavailableError } from '../../src/ports/event-store.js'
import type { Line } from './unreliable-stores.js'

export function shakyEvents(store: EventStore, line: Line): EventStore {
  const unreachable = EventStoreUnavailableError
  return {
    append: (...args) => line.write('appending to a stream', () => store.append(...args)),
    read: (...args) => line.read('reading a stream', () => store.read(...args), unreachable),
    retain: (...args) => line.write('setting an age', () => store.retain(...args)),
    close: async () => {},
    async *subscribe(category: string, after: Position, signal: AbortSignal) {
      for await (const event of store.subscribe(category, after, signal)) {
        await line.read('delivering an event', async () => {}, unreachable)
        yield event
      }
    },
  }
}
