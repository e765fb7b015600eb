/** No container engine runs where the tests do, so compose.yaml is held to what can be read in it. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { readConfig, VARIABLE_NAMES, type VariableName } from '../../src/compose/config.js'

interface Service {
  image?: string
  build?: string
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  volumes?: string[]
  ports?: string[]
  read_only?: boolean
  user?: string
  command?: string[]
}

interface Compose {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}

const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as Compose
const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)
const theirs = services.filter(([, { build }]) => build === undefined)

await t.test('every variable is one the configuration knows, with a value it takes', async (t) => {
  t.ok(ours.length >= 3)
  for (const [name, { environment = {} }] of ours) {
    for (const variable of Object.keys(environment)) t.ok(VARIABLE_NAMES.includes(variable as VariableName), `${name}: ${variable}`)
    t.doesNotThrow(() => readConfig(environment), name)
  }
})

await t.test('every role runs, in its own process, against all the servers', async (t) => {
  const serving = ours.filter(([, { command }]) => command === undefined)
  t.same(serving.map(([, { environment }]) => environment?.ROLES).sort(), ['ask', 'project', 'query'])
  for (const [name, { environment = {} }] of ours) {
    for (const variable of ['NATS_URL', 'MONGODB_URL', 'EVENTSTORE_URL', 'REDIS_URL']) {
      const host = new URL(environment[variable] ?? '').hostname
      t.ok(compose.services[host], `${name}: ${variable} names the service ${host}`)
    }
  }
})

await t.test('servers have health checks, and nothing starts before they are healthy', async (t) => {
  for (const [name, { healthcheck, image }] of theirs) {
    t.ok((healthcheck?.test?.length ?? 0) > 1, `${name} has a health check`)
    t.match(image, /^[\w./-]+:[\w.-]*\d/, `${name} has a version`)
  }
  for (const [name, { depends_on = {} }] of ours) {
    t.same(Object.keys(depends_on).sort(), theirs.map(([server]) => server).sort(), name)
    for (const { condition } of Object.values(depends_on)) t.equal(condition, 'service_healthy')
  }
})

await t.test('what has to last is in a volume, and ports are open to this machine only', async (t) => {
  for (const server of ['nats', 'mongodb', 'kurrentdb']) {
    const [volume = ''] = compose.services[server]?.volumes?.[0]?.split(':') ?? []
    t.ok(volume in compose.volumes, server)
  }
  for (const [name, { ports = [] }] of services) for (const port of ports) t.match(port, /^127\.0\.0\.1:/, name)
})

await t.test('Vitrine runs without rights and cannot change its own files', async (t) => {
  for (const [name, { read_only, user }] of ours) t.same([read_only, user], [true, 'node'], name)
})
