/** No container engine runs where the tests do, so compose.yaml is held to what can be read in it. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { defaultOf, readConfig, VARIABLE_NAMES } from '../../src/compose/config.js'
import { compose, services } from '../image/compose-file.js'
import { makeSecrets } from '../image/compose-servers.js'

const ours = services.filter(([, { build }]) => build !== undefined)
const theirs = services.filter(([, { build }]) => build === undefined)
const serving = ours.filter(([, { restart }]) => restart !== 'no')

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

await t.test('every process finds the servers', async (t) => {
  const secrets = await makeSecrets()
  for (const [name, { environment = {} }] of serving) {
    const config = readConfig(withSecrets(environment, secrets))
    for (const variable of ['NATS_URL', 'MONGODB_URL', 'EVENTSTORE_URL', 'REDIS_URL'] as const) {
      const host = new URL(config[variable] ?? '').hostname
      t.ok(compose.services[host], `${name}: ${variable} names the service ${host}`)
    }
  }
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
})

await t.test('no service can gain rights, and no port is open to other machines', async (t) => {
  for (const [name, { cap_drop, security_opt, ports = [] }] of services) {
    t.same([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name)
    for (const port of ports) t.match(port, /^127\.0\.0\.1:/, name)
  }
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
