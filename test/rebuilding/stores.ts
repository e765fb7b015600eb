import t from 'tap'
import { SqliteDocumentStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import type { Subject } from '../contracts/subject.js'
import { mongoSubject } from '../mongo/databases.js'
import { mongoUrl } from '../servers/mongo.js'
import { MemoryDocumentStore } from '../support/memory-store.js'

const mongo = await mongoUrl(t)

/** The stores that rebuilds, rollbacks and dead letters are tried on. Naming one here is all it takes. */
export const STORES: readonly Subject<DocumentStore>[] = [
  {
    name: 'SQLite',
    async open() {
      const folder = await temporaryFolder()
      const another = () => SqliteDocumentStore.open(folder)
      return { store: await another(), another, remove: () => removeFolder(folder) }
    },
  },
  {
    name: 'memory',
    async open() {
      const store = new MemoryDocumentStore()
      return { store, another: async () => store.another(), remove: async () => {} }
    },
  },
  ...(mongo === null ? [] : [mongoSubject(mongo)]),
]
