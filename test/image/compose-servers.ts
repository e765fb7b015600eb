/** The servers of compose.yaml with the passwords that its first service makes, on this machine. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { eventually } from '../ports/subject.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { SET, startMongods } from '../servers/mongo.js'
import { mongosh } from '../servers/mongosh.js'
import { startNats } from '../servers/nats.js'
import { startRedis } from '../servers/redis.js'
import { compose } from './compose-file.js'

const run = promisify(execFile)

/** A folder with secrets, as the service "secrets" makes them. */
export async function makeSecrets(env: Record<string, string> = {}): Promise<string> {
  const folder = folderWith()
  await run('sh', ['ops/compose/make-secrets.sh', folder], { env: { ...process.env, ...env } })
  return folder
}

/** What a service is started with, after its program. */
const argumentsOf = (name: string, secrets: string): string[] =>
  (compose.services[name]?.command ?? []).slice(1).map((word) => word.replace('/secrets', secrets))

/** With the files that name them changed to where they are; null if one is not available. */
export async function startComposeServers(t: Test, secrets: string): Promise<Record<string, string> | null> {
  const read = (name: string) => readFileSync(join(secrets, name), 'utf8')
  // The server inherits it.
  process.env.NATS_PASSWORD = read('nats-password')
  const client = { user: compose.services.query?.environment?.NATS_USER ?? '', pass: process.env.NATS_PASSWORD }
  const nats = await startNats(t, { args: ['--config', 'ops/compose/nats.conf'], client })
  delete process.env.NATS_PASSWORD
  const [mongo, redis] = [await startProtectedMongo(t, secrets), await startRedis(t, argumentsOf('redis', secrets), read('redis-password'))]
  if (nats === null || mongo === null || redis === null) return null
  const replace = (name: string, from: string, to: string) => writeFileSync(join(secrets, name), read(name).replace(from, to))
  replace('mongodb-url', 'mongodb:27017', mongo)
  replace('mongodb-url', 'rs0', SET)
  replace('redis-url', 'redis:6379', new URL(redis.url).host)
  // No package carries KurrentDB.
  const kurrent = await EventStoreStandIn.start()
  t.teardown(() => kurrent.stop())
  return { NATS_URL: nats.url, EVENTSTORE_URL: kurrent.url }
}

/** The host of a server that asks for the password, once the health check has made it a replica set with a user. */
export async function startProtectedMongo(t: Test, secrets: string, start = startMongods): Promise<string | null> {
  const shell = await mongosh(t)
  const server = shell && (await start(t))?.members[0]
  if (!shell || !server) return null
  await server.process.kill('SIGTERM')
  await server.process.start(['--keyFile', join(secrets, 'mongodb-key')])
  const [, , , option = '', script = ''] = compose.services.mongodb?.healthcheck?.test ?? []
  const text = readFileSync(join('ops/compose', script), 'utf8')
  const here = text.replace('/secrets', secrets).replace('mongodb:27017', server.host).replace('rs0', SET)
  const check = [server.url, '--quiet', option, join(folderWith({ 'check.js': here }), 'check.js')]
  // The shell keeps its history at home.
  const isHealthy = () =>
    run(shell, check, { env: { ...process.env, HOME: folderWith() } }).then(
      () => true,
      () => false,
    )
  await eventually(isHealthy)
  return server.host
}
