/** Killed while it builds the indexes of what it has loaded, which blocks its thread for long: the next start goes on at once. */
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { demoLog } from '../../src/demo/index.js'
import { DataFolder } from '../serving/data-folder.js'
import { everythingIn } from '../serving/everything.js'
import { Serving } from '../serving/program.js'
import { sameDump } from '../support/dump.js'

t.setTimeout(120_000)

t.test('a leader killed while it builds indexes leaves nothing in the way of the next', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(demoLog({ creators: 100, creations: 1000, seed: 6, webUrl: 'http://localhost:3001' }))
  const serving = await Serving.start(t, folder.path)
  await folder.reached('feed', (await folder.log.bounds()).last)
  t.equal(await serving.end('SIGKILL'), 'SIGKILL')
  const [generation] = await folder.documents.generations('feed')
  t.comment(`killed while the feed was ${generation?.state}; its lease lasts ${Math.round(leaseLeft(folder))} ms more`)

  const next = await Serving.start(t, folder.path)
  await folder.caughtUp()
  t.equal(await next.end('SIGTERM'), 0)

  const undisturbed = await DataFolder.open(t)
  await undisturbed.append(await folder.records())
  await undisturbed.project()
  sameDump(await everythingIn(folder.documents), await everythingIn(undisturbed.documents))
  t.pass('and all documents, indexes and checkpoints are those of an undisturbed run')
})

function leaseLeft(folder: DataFolder): number {
  const control = openDatabase(join(folder.path, 'models', 'control.db'))
  try {
    const [left] = control.prepare("SELECT max(expires_at) - unixepoch('subsec') * 1000 FROM leases").raw().get() as unknown as [number]
    return left
  } finally {
    control.close()
  }
}
