/** The same without workers, or with a port that workers cannot have. */
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { stopUnderLoad } from '../harness/graceful-stop.js'
import { freePorts, Serving, spawnVitrine, takenPort } from '../harness/program.js'
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

await t.test('a port that is taken is one line and exit code 2', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const taken = String(await takenPort(t))
  const [one, two] = (await freePorts(2)).map(String)
  const ports = ['--api-port', String(one), '--web-port', taken, '--admin-port', String(two)]
  const { code, stdout, stderr } = await spawnVitrine(['serve', '--workers', '2', '--data-dir', folder.path, ...ports])
  t.strictSame([code, stdout], [2, ''])
  t.match(stderr, new RegExp(`^vitrine serve: port ${taken} is taken[^\n]*\n$`))
})
