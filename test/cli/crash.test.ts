/** Killed while it builds the indexes of what it has loaded, which blocks its thread for long: the next start goes on at once. */
import t from 'tap'
import { demoLog } from '../../demo/index.js'
import { DataFolder } from '../harness/data-folder.js'
import { dumpModels } from '../harness/dump-models.js'
import { longestLease } from '../harness/leases.js'
import { LocalServing } from '../harness/local-serving.js'
import { Serving } from '../harness/program.js'
import { sameDump } from '../support/dump.js'

t.test('a leader killed while it builds indexes does not block the next one', async (t) => {
  const records = [...demoLog({ creators: 100, creations: 1000, seed: 6, webUrl: 'http://localhost:3001' })]
  const folder = await DataFolder.open(t)
  await folder.append(records.slice(0, -1))
  const serving = await Serving.start(t, folder.path)
  // Folded to the end, not live yet: the next thing it does is to build the indexes.
  await folder.reached('feed', records.length - 1)
  t.equal(await serving.end('SIGKILL'), 'SIGKILL')
  const [generation] = await folder.documents.generations('feed')
  t.comment(`killed while the feed was ${generation?.state}; the longest lease lasts ${Math.round(longestLease(folder))} ms more`)

  await folder.append(records)
  const next = await LocalServing.start(t, folder.path)
  await folder.caughtUp()
  t.equal(await next.end(), 0)

  const undisturbed = await DataFolder.open(t)
  await undisturbed.append(records)
  await undisturbed.project()
  sameDump(await dumpModels(folder.documents), await dumpModels(undisturbed.documents))
  t.pass('and all documents, indexes and checkpoints are those of an undisturbed run')
})
