import t from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { documentStoreContract } from '../ports/document-store.js'
import { removeFolder, temporaryFolder } from './folder.js'

await documentStoreContract(t, {
  name: 'SQLite',
  async open() {
    const folder = await temporaryFolder()
    const another = () => openSqliteStore(folder)
    return { store: await another(), another, remove: () => removeFolder(folder) }
  },
})
