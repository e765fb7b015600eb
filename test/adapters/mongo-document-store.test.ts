import t from 'tap'
import { MongoDocumentStore } from '../../src/adapters/mongo/document-store.js'
import { documentStoreContract } from '../contracts/document-store.js'
import { databaseOn, dropDatabase } from '../mongo/databases.js'
import { mongoUrl } from '../servers/mongo.js'

const server = await mongoUrl(t)

if (server !== null) {
  await documentStoreContract(t, {
    name: 'MongoDB',
    async open() {
      const url = databaseOn(server)
      const another = () => MongoDocumentStore.open(url)
      return { store: await another(), another, remove: () => dropDatabase(url) }
    },
  })
}
