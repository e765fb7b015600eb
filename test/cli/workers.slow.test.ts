/** The same without workers, or with one that does not stop. */
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { stopUnderLoad } from '../harness/graceful-stop.js'
import { Serving } from '../harness/program.js'
import { childrenOf, isThere } from '../support/linux-processes.js'

await t.test('a single process that is stopped answers all admitted requests', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  await stopUnderLoad(t, serving)
})

await t.test('a stop ends within ten seconds, also if a worker does not', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path, ['--workers', '2'])
  await serving.ready()
  const workers = childrenOf(serving.pid)
  process.kill(workers[0] ?? 0, 'SIGSTOP')
  const began = performance.now()
  t.equal(await serving.end('SIGTERM'), 0)
  t.ok(performance.now() - began < 10_000, 'what the documentation promises')
  t.notOk(workers.some(isThere), 'no process is left')
})
