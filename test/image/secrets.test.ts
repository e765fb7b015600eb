/** The secrets of compose.yaml: made as it makes them, and used by real processes as it has them used. */
import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from 'nats'
import { createClient } from 'redis'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { startNats } from '../servers/nats.js'
import { startRedis } from '../servers/redis.js'
import { compose } from './compose-file.js'
import { makeSecrets } from './compose-servers.js'

const run = promisify(execFile)
const folder = folderWith()
const SECRETS = ['admin-token', 'mongodb-key', 'mongodb-password', 'nats-password', 'redis-password']
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
  const all = () => Object.fromEntries(readdirSync(folder).map((name) => [name, read(name)]))
  const first = all()
  t.notMatch((await make()).stdout, token)
  t.same(all(), first)
  t.equal(new Set(SECRETS.map(read)).size, SECRETS.length)
  for (const file of readdirSync(folder)) t.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
})

await t.test('passwords of the operator are taken at the first start', async (t) => {
  const passwords = { MONGODB_PASSWORD: 'of-mongodb-12', REDIS_PASSWORD: 'of_redis_123' }
  t.same(Object.keys(compose.services.secrets?.environment ?? {}), Object.keys(passwords))
  const chosen = await makeSecrets(passwords)
  t.match(readFileSync(join(chosen, 'mongodb-url'), 'utf8'), '://vitrine:of-mongodb-12@mongodb:')
  t.match(readFileSync(join(chosen, 'redis-url'), 'utf8'), '://:of_redis_123@redis:')
  // It would be another address.
  await t.rejects(makeSecrets({ REDIS_PASSWORD: 'p@ss' }), /redis-password may have letters, digits/)
  for (const name of Object.keys(passwords))
    await t.rejects(makeSecrets({ [name]: 'elevenchars' }), /-password needs at least 12 characters/)
})

await t.test('every process takes that token, and answers to the name of its service', async (t) => {
  const data = await DataFolder.of(t, ...COMMUNITY)
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

await t.test('so does Redis, and its health check has the password', async (t) => {
  const { command = [], healthcheck } = compose.services.redis ?? {}
  const redis = await startRedis(t, command.slice(1).map(here), read('redis-password'))
  if (redis === null) return
  const reads = async (url: string) => {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.get('any')
    } finally {
      client.destroy()
    }
  }
  await t.rejects(reads(redis.url), /NOAUTH/)
  t.equal(await reads(read('redis-url').replace('redis:6379', new URL(redis.url).host)), null)

  const [, shell = '', ...args] = healthcheck?.test ?? []
  const programs = folderWith({ 'redis-cli': '#!/bin/sh\n[ "$REDISCLI_AUTH" = "$EXPECTED" ] && echo PONG || echo NOAUTH\n' })
  chmodSync(join(programs, 'redis-cli'), 0o755)
  const check = (expected: string) => run(shell, args.map(here), { env: { PATH: `${programs}:${process.env.PATH}`, EXPECTED: expected } })
  await t.resolves(check(read('redis-password')))
  await t.rejects(check('another'), 'an answer that is no PONG')
})
