import t from 'tap'
import { documentStoreContract } from '../contracts/document-store.js'
import { mongoSubject } from '../mongo/databases.js'
import { mongoUrl } from '../servers/mongo.js'

const server = await mongoUrl(t)

if (server !== null) await documentStoreContract(t, mongoSubject(server))
