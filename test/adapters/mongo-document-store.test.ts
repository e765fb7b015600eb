import t from 'tap'
import { documentStoreContract } from '../ports/document-store.js'
import { mongoUrl } from '../servers/shared-mongo.js'
import { mongoSubject } from './mongo/databases.js'

const server = await mongoUrl(t)

if (server !== null) await documentStoreContract(t, mongoSubject(server))
