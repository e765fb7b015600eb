/** The public answers are those of a model that knows nothing of the engine. */
import fc from 'fast-check'
import t from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { LOCALES } from '../reference-model/arbitrary-fields.js'
import { cuts, loading, logs, withCopies } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { Community } from '../reference-model/community.js'
import { DOMAIN, eventsOf, Models } from '../support/models.js'
import { holds } from '../support/property.js'
import { sameAnswers } from '../support/same-answers.js'

/** Few creations to which much happens, or many that stand side by side. */
const copied = fc.oneof(logs(), busyLogs()).chain((log) => fc.oneof(fc.constant(log), withCopies(log)))
const locale = fc.constantFrom(...LOCALES, 'EN-gb', 'es-MX', 'de', 'de-AT-1996', 'fr')

await holds(
  t,
  'from memory',
  fc.tuple(copied, cuts, loading, locale),
  async ([{ records }, cut, load, language]) => {
    const models = await Models.begin({ cut, loading: load })
    await models.through(records)
    await sameAnswers(models.reader, new Community(eventsOf(records), DOMAIN), language)
  },
  120,
)

await holds(
  t,
  'from SQLite',
  fc.tuple(copied, cuts, loading, locale),
  async ([{ records }, cut, load, language]) => {
    const folder = await temporaryFolder()
    const store = await openSqliteStore(folder)
    const models = await Models.begin({ store, cut, loading: load })
    try {
      await models.through(records)
      await sameAnswers(models.reader, new Community(eventsOf(records), DOMAIN), language)
    } finally {
      await models.close()
      await store.close()
      await removeFolder(folder)
    }
  },
  25,
)
