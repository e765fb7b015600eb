/** No container engine runs where the tests do, so compose.yaml is held to what can be read in it. */
import t from 'tap'
import { readConfig, VARIABLE_NAMES } from '../../src/compose/config.js'
import { services } from '../image/compose-file.js'
import { makeSecrets } from '../image/compose-servers.js'

const ours = services.filter(([, { build }]) => build !== undefined)
const theirs = services.filter(([, { build }]) => build === undefined)

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

await t.test('versions are exact', async (t) => {
  for (const [name, { image }] of theirs) t.match(image, /^[\w./-]+:v?\d+\.\d+\.\d+(-alpine)?$/, name)
})

await t.test('no service can gain rights, and no port is open to other machines', async (t) => {
  for (const [name, { cap_drop, security_opt, ports = [] }] of services) {
    t.same([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name)
    for (const port of ports) t.match(port, /^127\.0\.0\.1:/, name)
  }
})
