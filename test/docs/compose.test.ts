/** No container engine runs where the tests do, so compose.yaml is held to what can be read in it. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { defaultOf, readConfig, VARIABLE_NAMES } from '../../src/compose/config.js'
import { compose, type Service, services } from '../image/compose-file.js'
import { makeSecrets } from '../image/compose-servers.js'

const ours = services.filter(([, { build }]) => build !== undefined)
const theirs = services.filter(([, { build }]) => build === undefined)
const servers = theirs.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)
const runsOnce = ({ restart }: Service) => restart === 'no'
const COMPLETED = { condition: 'service_completed_successfully' }
const serving = ours.filter(([, service]) => !runsOnce(service))

const withSecrets = (environment: Record<string, string>, folder: string) =>
  Object.fromEntries(Object.entries(environment).map(([variable, value]) => [variable, value.replace('/secrets', folder)]))

await t.test('every variable is one the configuration knows, with a value it takes', async (t) => {
  const secrets = await makeSecrets()
  const known = new Set(VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`]))
  t.ok(ours.length >= 3)
  for (const [name, { environment = {} }] of ours.filter(([name]) => name !== 'secrets')) {
    for (const variable of Object.keys(environment)) t.ok(known.has(variable), `${name}: ${variable}`)
    t.doesNotThrow(() => readConfig(withSecrets(environment, secrets)), name)
  }
})

await t.test('every role runs, in its own process, against all the servers', async (t) => {
  t.same(serving.map(([, { environment }]) => environment?.ROLES).sort(), ['ask', 'project', 'query'])
  const secrets = await makeSecrets()
  for (const [name, { environment = {} }] of serving) {
    const config = readConfig(withSecrets(environment, secrets))
    for (const variable of ['NATS_URL', 'MONGODB_URL', 'EVENTSTORE_URL', 'REDIS_URL'] as const) {
      const host = new URL(config[variable] ?? '').hostname
      t.ok(compose.services[host], `${name}: ${variable} names the service ${host}`)
    }
  }
})

await t.test('what runs on has a bounded health check, and nothing starts before its servers are healthy', async (t) => {
  for (const [name, { healthcheck, restart, build }] of services) {
    if (restart === 'no') t.same(healthcheck, { disable: true }, `${name} runs once`)
    // Ours have the image's, which has a test of its own.
    else if (build !== undefined) t.equal(healthcheck, undefined, name)
    else {
      t.ok((healthcheck?.test?.length ?? 0) > 1, name)
      for (const bound of ['interval', 'timeout', 'start_period', 'start_interval'] as const)
        t.match(healthcheck?.[bound], /^[1-9]\d*s$/, name)
      t.ok((healthcheck?.retries ?? 99) <= 5, name)
    }
  }
  for (const [name, { depends_on = {} }] of [...serving, ...ours.filter(([, { profiles }]) => profiles)])
    t.same(
      depends_on,
      { ...Object.fromEntries(servers.map((server) => [server, { condition: 'service_healthy' }])), secrets: COMPLETED },
      name,
    )
})

await t.test('versions are exact', async (t) => {
  for (const [name, { image }] of theirs) t.match(image, /^[\w./-]+:v?\d+\.\d+\.\d+(-alpine)?$/, name)
})

await t.test('what is mounted exists: files here, volumes below', async (t) => {
  for (const [name, { volumes = [] }] of services) {
    for (const volume of volumes) {
      const [source = '', , mode] = volume.split(':')
      t.ok(source.startsWith('./') ? existsSync(source) && mode === 'ro' : source in compose.volumes, `${name}: ${volume}`)
    }
  }
  for (const server of ['nats', 'mongodb', 'kurrentdb']) t.ok(compose.services[server]?.volumes?.[0]?.startsWith(`${server}:`), server)
})

await t.test('Vitrine runs without rights and cannot change its own files', async (t) => {
  for (const [name, { read_only, user }] of ours) t.same([read_only, user], [true, 'node'], name)
})

await t.test('no service has rights it does not need, takes the whole machine or fills its disk with logs', async (t) => {
  const needed: Record<string, string[]> = { nats: ['DAC_OVERRIDE'], mongodb: ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'] }
  for (const [name, { cap_drop, cap_add, security_opt, mem_limit, cpus, pids_limit, logging }] of services) {
    t.same([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name)
    t.same(cap_add, needed[name], name)
    t.match(mem_limit, /^\dg$/, name)
    t.ok(cpus && pids_limit, name)
    t.match(logging?.options, { 'max-size': /^\d+m$/, 'max-file': /^\d$/ }, name)
  }
})

await t.test('secrets are made by one service, and only read by the others', async (t) => {
  const users = services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.startsWith('secrets:')))
  const makers = users.filter(([, { volumes = [] }]) => volumes.includes('secrets:/secrets'))
  t.same(
    makers.map(([name]) => name),
    ['secrets'],
  )
  t.equal(makers[0]?.[1].restart, 'no')
  for (const [name, { depends_on = {}, volumes = [] }] of users.filter(([name]) => name !== 'secrets')) {
    t.ok(volumes.includes('secrets:/secrets:ro'), name)
    t.same(depends_on.secrets, COMPLETED, name)
  }
})

await t.test('the admin host is reached by the other containers and by this machine, and no port by others', async (t) => {
  for (const [name, { environment = {} }] of serving) {
    t.equal(environment.ADMIN_HOST, '0.0.0.0', name)
    t.ok(environment.ADMIN_TOKEN_FILE, `${name} has a token, so it answers to names`)
  }
  const admin = defaultOf('ADMIN_PORT')
  t.ok(compose.services.query?.ports?.includes(`127.0.0.1:${admin}:${admin}`))
  for (const [name, { ports = [] }] of services) for (const port of ports) t.match(port, /^127\.0\.0\.1:/, name)
})

await t.test('Prometheus asks every role and has our alerts, Grafana has our dashboard', async (t) => {
  const { scrape_configs, rule_files } = parse(readFileSync('ops/compose/prometheus.yaml', 'utf8'))
  const [{ dns_sd_configs }] = scrape_configs
  t.same([...dns_sd_configs[0].names].sort(), serving.map(([name]) => name).sort())
  t.equal(String(dns_sd_configs[0].port), defaultOf('ADMIN_PORT'))
  const { prometheus, grafana } = compose.services
  t.same([prometheus?.profiles, grafana?.profiles], [['monitoring'], ['monitoring']])
  t.ok(prometheus?.volumes?.includes(`./ops/alerts.yaml:${rule_files[0]}:ro`))
  const { providers } = parse(readFileSync('ops/compose/grafana-dashboards.yaml', 'utf8'))
  t.ok(grafana?.volumes?.some((volume) => volume.startsWith(`./ops/grafana-dashboard.json:${providers[0].options.path}/`)))
  const { datasources } = parse(readFileSync('ops/compose/grafana-datasource.yaml', 'utf8'))
  t.ok(compose.services[new URL(datasources[0].url).hostname])
})
