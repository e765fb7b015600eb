import t from 'tap'
import { documentStoreContract } from '../contracts/document-store.js'
import { eventLogContract } from '../contracts/event-log.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { MemoryDocumentStore } from '../support/memory-store.js'

/** The property tests stand on these two, so they keep the same promises as the real ones. */
await documentStoreContract(t, {
  name: 'memory',
  async open() {
    const store = new MemoryDocumentStore()
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
