/** A process that leads the feed and kills itself at one moment of a rebuild: `crashing-leader.js FOLDER MOMENT [MONGODB_URL]`. */
import { join } from 'node:path'
import { feedProjection } from '../../../projections/feed/index.js'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { openSqliteStore } from '../../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../../src/adapters/sqlite/event-log.js'
import { Projector } from '../../../src/engine/leader/projector.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import { crashing, type Moment } from './crashing-store.js'

const [folder = '', moment = '', url] = process.argv.slice(2)

/** At once, as a power switch would: no handler runs, nothing is finished. */
const die = () => process.kill(process.pid, 'SIGKILL')

const opened = await (url === undefined ? openSqliteStore(join(folder, 'models')) : openMongoStore(url))
const store: DocumentStore = crashing(opened, moment as Moment, die)
const log = new SqliteEventLog(join(folder, 'log', 'events.db'))
const projector = new Projector([feedProjection], log, store, { info() {}, warn() {}, error() {} })
projector.start()
