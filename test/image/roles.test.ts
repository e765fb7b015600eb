/** Every role as the image starts it: from the files that the Dockerfile copies, with production packages only. */
import { execFile } from 'node:child_process'
import { cp, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/response.js'
import { folderWith } from '../adapters/folder.js'
import { Cluster } from '../cluster/cluster.js'
import { complaints, Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { serverPorts } from '../servers/ports.js'
import { stagesOf } from './dockerfile.js'
import { layOut } from './layout.js'

const image = await layOut(stagesOf('Dockerfile'))
const { main, healthCheck } = image
const data = folderWith()
/** As in the image, but on this machine's own address; a job may be asked for more often than callers may. */
const environment = { ...image.environment, HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1', DATA_DIR: data, RATE_LIMIT_AGENT: 'off' }

const start = (t: Parameters<typeof Serving.start>[0], ...flags: string[]) => Serving.start(t, data, flags, environment, main)
const askHealth = (port: number, ...flags: string[]) =>
  spawnVitrine([...healthCheck, ...flags], { env: { ...environment, ADMIN_PORT: String(port) }, main })
/** It waits three seconds; beside other tests an answer may take longer. */
const succeeds = (ask: () => ReturnType<typeof spawnVitrine>) =>
  eventually(async () => {
    const asked = await ask()
    return asked.code === 0 && asked
  })
const healthy = (port: number, ...flags: string[]) => succeeds(() => askHealth(port, ...flags))
const status = async (port: number, path: string) => (await request(port, path)).statusCode

await t.test('the demo community can be written', async (t) => {
  const { code, stderr } = await spawnVitrine(['seed', '--creators', '5', '--creations', '20'], { env: environment, main })
  t.strictSame([code, stderr], [0, ''])
})

await t.test('"vitrine" is a command of it, in any folder', async (t) => {
  const bin = folderWith()
  await symlink(image.command, join(bin, 'vitrine'))
  const env = { ...environment, PATH: `${bin}:${process.env.PATH}` }
  const { stdout } = await promisify(execFile)('vitrine', ['status', '--json'], { env, cwd: data })
  t.equal(typeof JSON.parse(stdout), 'object')
})

await t.test('models of one’s own are found beside the program, without a package of ours in their own folder', async (t) => {
  const folder = folderWith()
  const models = join(image.folder, 'my-models')
  await cp('examples/shelves', models, { recursive: true })
  const env = { ...environment, DATA_DIR: folder, MODELS: models }
  t.match(await spawnVitrine(['models'], { env, main }), { code: 0, stdout: /shelves/, stderr: '' })
  await rm(models, { recursive: true })
})

await t.test('one process with all roles', async (t) => {
  const all = await start(t)
  await all.ready()
  for (const path of ['/', '/docs', '/changelog', '/llms.txt']) t.equal(await status(all.web, path), 200, path)
  t.equal(await status(all.api, '/public/share/community'), 200)
  for (const path of ['/', '/metrics', '/health/ready']) t.equal(await status(all.admin, path), 200, path)

  t.match(await healthy(all.admin), { stdout: /alive/, stderr: '' }, 'the health check asks the configured port')
  t.match(await healthy(all.admin, '--ready'), { stdout: /ready/ })
  const asInTheImage = { ...environment, ...image.environment, ADMIN_PORT: String(all.admin) }
  const asked = await succeeds(() => spawnVitrine(healthCheck, { env: asInTheImage, main }))
  t.match(asked, { stdout: /alive/ }, 'also when that is on all addresses')
  const [nobody = 0] = await serverPorts(1)
  t.match(await askHealth(nobody), { code: 1, stdout: '', stderr: new RegExp(`^http://127.0.0.1:${nobody}/health/live: .+\n$`) })
  t.equal(await all.end('SIGTERM'), 0)
  t.equal(complaints(all.stderr), '')
})

await t.test('a process for each role', async (t) => {
  const [query, project, ask] = await Promise.all(['query', 'project', 'ask'].map((role) => start(t, '--roles', role)))
  if (query === undefined || project === undefined || ask === undefined) throw new Error('three were started')
  await query.ready()
  for (const { admin } of [query, project, ask]) {
    await healthy(admin, '--ready')
    for (const path of ['/', '/metrics', '/health/live']) t.equal(await status(admin, path), 200, path)
  }
  t.equal(await status(query.web, '/'), 200)

  const answer = await fetch(`http://127.0.0.1:${query.web}/ask/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'what is this?' }),
  })
  const { job_id } = AsyncAskJob.parse(await answer.json())
  const done = await eventually(async () => {
    const job = AsyncAskJobStatus.parse(JSON.parse((await request(query.web, `/ask/jobs/${job_id}`)).body))
    return job.status === 'completed' && job
  })
  t.ok(done.result, 'what answers jobs has its texts, too')
  for (const serving of [query, project, ask]) {
    t.equal(await serving.end('SIGTERM'), 0)
    t.equal(complaints(serving.stderr), '')
  }
})

await t.test('with servers for all data it writes no file, so its file system may be read-only', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  t.equal((await cluster.run('seed', '--creators', '5', '--creations', '20')).code, 0)
  const files = async () => (await readdir(image.folder, { recursive: true })).sort()
  const before = await files()
  const unused = join(image.folder, 'data')
  const startHere = (role: string) => Serving.start(t, unused, [...cluster.flags, '--roles', role], environment, main)
  const [query, ...others] = await Promise.all(['query', 'project', 'ask'].map(startHere))
  await query?.ready()
  for (const { admin } of others) await healthy(admin, '--ready')
  t.equal(await status(query?.web ?? 0, '/'), 200)
  for (const serving of [query, ...others]) {
    t.equal(await serving?.end('SIGTERM'), 0)
    // A retry after an interruption by the server is no matter of files.
    t.notMatch(serving?.stderr, /\bE(ROFS|ACCES|PERM|NOENT)\b/)
  }
  t.strictSame(await files(), before)
})

await t.test('ask jobs can live in EventStoreDB (a stand-in serving its protocol)', async (t) => {
  const standIn = await EventStoreStandIn.start()
  t.teardown(() => standIn.stop())
  const { stdout } = await spawnVitrine(['doctor', '--json'], { env: { ...environment, EVENTSTORE_URL: standIn.url }, main })
  const { findings }: { findings: { check: string; finding: string }[] } = JSON.parse(stdout)
  t.equal(findings.find(({ check }) => check === 'event store')?.finding, 'answers')
})

await t.test('nothing is taken from elsewhere: without one of the files it does not start', async (t) => {
  await rm(join(image.folder, 'CONTRIBUTING.md'))
  t.match(await spawnVitrine(['serve'], { env: environment, main }), { code: 2, stderr: /ENOENT.+CONTRIBUTING\.md/ })
})
