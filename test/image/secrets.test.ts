/** The secrets of compose.yaml: made as it makes them, and used by real processes as it has them used. */
import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from 'nats'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { startNats } from '../servers/nats.js'
import { Script } from '../spec/script.js'
import { compose } from './compose-file.js'

const run = promisify(execFile)
const folder = folderWith()
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** A container's path, on this machine. Compose writes $$ for $. */
const here = (text: string) =>
  text
    .replaceAll('$$', '$')
    .replaceAll('/make-secrets.sh', 'ops/compose/make-secrets.sh')
    .replaceAll('/etc/vitrine-nats.conf', 'ops/compose/nats.conf')
    .replaceAll('/secrets', folder)

await t.test('the admin token is printed once and stays the same', async (t) => {
  const [shell = '', script = '', target = ''] = compose.services.secrets?.entrypoint ?? []
  const make = () => run(shell, [here(script), here(target)])
  const { stdout } = await make()
  const token = read('admin-token')
  t.match(token, /^v[0-9a-f]{48}$/)
  t.match(stdout, token)
  const password = read('nats-password')
  t.notMatch((await make()).stdout, token)
  t.same([read('admin-token'), read('nats-password')], [token, password])
  t.same(readdirSync(folder).sort(), ['admin-token', 'nats-password'])
  for (const file of readdirSync(folder)) t.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
})

await t.test('every process takes that token, and answers to the name of its service', async (t) => {
  const data = await DataFolder.open(t)
  await data.append(new Script().write(...COMMUNITY))
  const env = { ADMIN_TOKEN_FILE: here(compose.services.query?.environment?.ADMIN_TOKEN_FILE ?? '') }
  const replicas = [
    await Serving.start(t, data.path, ['--roles', 'project'], env),
    await Serving.start(t, data.path, ['--roles', 'ask'], env),
  ]
  for (const { admin } of replicas) {
    await eventually(async () => (await spawnVitrine(['health'], { env: { ...env, ADMIN_PORT: String(admin) } })).code === 0)
    const asked = async (path: string, headers: Record<string, string> = {}) =>
      (await request(admin, path, { headers: { host: 'projector:3002', ...headers } })).statusCode
    t.equal(await asked('/metrics'), 200)
    t.equal(await asked('/board'), 401)
    t.equal(await asked('/board', { authorization: `Bearer ${read('admin-token')}` }), 200)
  }
})

await t.test('NATS is started with its password from the file', async (t) => {
  const programs = folderWith({ 'nats-server': '#!/bin/sh\necho "$NATS_PASSWORD" "$@"\n' })
  chmodSync(join(programs, 'nats-server'), 0o755)
  const [shell = '', ...args] = compose.services.nats?.entrypoint ?? []
  const { stdout } = await run(shell, [...args.map(here), '--jetstream'], { env: { PATH: `${programs}:${process.env.PATH}` } })
  t.equal(stdout, `${read('nats-password')} --config ops/compose/nats.conf --jetstream\n`)
})

await t.test('and lets in only who has it', async (t) => {
  const { NATS_USER = '', NATS_PASSWORD_FILE = '' } = compose.services.query?.environment ?? {}
  // The server inherits it.
  process.env.NATS_PASSWORD = read('nats-password')
  t.teardown(() => delete process.env.NATS_PASSWORD)
  const client = { user: NATS_USER, pass: process.env.NATS_PASSWORD }
  const nats = await startNats(t, { args: ['--config', 'ops/compose/nats.conf'], client })
  if (nats === null) return
  await t.rejects(connect({ servers: nats.url, reconnect: false }), { code: 'AUTHORIZATION_VIOLATION' })
  const env = { NATS_URL: nats.url, NATS_USER, NATS_PASSWORD_FILE: here(NATS_PASSWORD_FILE) }
  const demo = () => spawnVitrine([...(compose.services.demo?.command ?? []), '--creators', '2', '--creations', '3'], { env })
  t.match(await demo(), { code: 0, stdout: /^[1-9]\d* events written/ })
  t.match(await demo(), { code: 0, stdout: /^0 events written/ }, 'and the demo can be started again')
})
