/** The faults of the table in docs/operating.md on the embedded stores. */
import { readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { Serving } from '../harness/program.js'
import { FAULTS } from './fault-table.js'
import { FOREIGN, type Records, Trials } from './fault-trials.js'

/** There is no server that could die; docs/operating.md says so. */
const CANNOT_HAPPEN = ['nothing', 'log dead', 'store dead']

await t.test('every fault shows on every surface, and passes', async (t) => {
  const folder = await temporaryFolder()
  t.teardown(() => removeFolder(folder))
  const appendTo = async (records: Records, name = 'log') => {
    const log = new SqliteEventLog(join(folder, name, 'events.db'))
    await log.append(records)
    await log.close()
  }
  const trials = new Trials(t, {
    flags: ['--data-dir', folder],
    folder,
    append: appendTo,
    serve: (roles, env) => Serving.start(t, folder, ['--roles', roles, '--rate-limit-agent', 'off'], env),
  })
  await trials.start(20_000)

  await trials.tryRefusedCommits(async () => {
    const [file = ''] = readdirSync(join(folder, 'models')).filter((name) => /^feed_.*\.db$/.test(name))
    const change = (sql: string) => {
      const model = openDatabase(join(folder, 'models', file))
      model.exec(sql)
      model.close()
    }
    change("CREATE TRIGGER refuses BEFORE INSERT ON _checkpoint BEGIN SELECT RAISE(ABORT, 'no commits today'); END")
    return async () => change('DROP TRIGGER refuses')
  })

  await trials.try('foreign log', async () => {
    await appendTo(FOREIGN, 'foreign')
    // An open file is not replaced: it takes a restart.
    const swap = async (wanted: string, present: string) => {
      await trials.end()
      await rename(join(folder, 'log'), join(folder, present))
      await rename(join(folder, wanted), join(folder, 'log'))
      await trials.launch()
    }
    await swap('foreign', 'own')
    return () => swap('own', 'foreign')
  })

  await trials.tryLeader()
  await trials.tryFanOut()
  t.strictSame([...(await trials.end())].sort(), FAULTS.filter((fault) => !CANNOT_HAPPEN.includes(fault)).sort())
})
