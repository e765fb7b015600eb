import t from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { mongoSubject } from '../adapters/mongo/databases.js'
import type { Subject } from '../ports/subject.js'
import { mongoUrl } from '../servers/shared-mongo.js'
import { memoryStore } from '../support/memory-store.js'
import { thorough } from '../support/tier.js'

const ALL: readonly Subject<DocumentStore>[] = [
  {
    name: 'SQLite',
    async open() {
      const folder = await temporaryFolder()
      const another = () => openSqliteStore(folder)
      return { store: await another(), another, remove: () => removeFolder(folder) }
    },
  },
  {
    name: 'memory',
    async open() {
      const store = memoryStore()
      return { store, another: async () => store.another(), remove: async () => {} }
    },
  },
]

const mongo = thorough ? await mongoUrl(t) : null

/** The stores that rebuilds, rollbacks and dead letters are tested on: only SQLite in `npm test`. */
export const STORES = thorough ? [...ALL, ...(mongo === null ? [] : [mongoSubject(mongo)])] : ALL.slice(0, 1)
