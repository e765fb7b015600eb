import t from 'tap'
import { documentStoreContract } from '../ports/document-store.js'
import { eventLogContract } from '../ports/event-log.js'
import { BRIEF } from '../ports/event-store/events.js'
import { eventStoreContract } from '../ports/event-store.js'
import { MemoryEventStore } from '../support/memory-event-store.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { memoryStore } from '../support/memory-store.js'

/** Property tests and simulations stand on these, so they keep the same promises as the real ones. */
await documentStoreContract(t, {
  name: 'memory',
  async open() {
    const store = memoryStore()
    return { store, another: async () => store.another(), remove: async () => {} }
  },
})

await eventLogContract(t, {
  name: 'memory',
  async open() {
    const log = new MemoryEventLog()
    return { store: log, another: async () => log, remove: async () => {} }
  },
})

await eventStoreContract(t, {
  name: 'memory',
  async open() {
    let passed = 0
    const store = new MemoryEventStore({ maxAges: BRIEF, now: () => Date.now() + passed })
    const pass = async (seconds: number) => {
      passed += seconds * 1000
    }
    return { store, another: async () => store.another(), pass, remove: async () => {} }
  },
})
