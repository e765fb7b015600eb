/** What the environment may say, and what is said where it is wrong. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError, misspeltVariables, readConfig } from '../../src/compose/config.js'
import { openDocuments } from '../../src/compose/stores.js'
import { folderWith } from '../adapters/folder.js'

await t.test('the defaults of the design', async (t) => {
  t.match(readConfig({}), {
    ...{ HOST: '127.0.0.1', API_PORT: 3000, WEB_PORT: 3001, ADMIN_PORT: 3002, ADMIN_HOST: '127.0.0.1' },
    ...{ BASE_URL: 'http://127.0.0.1:3000', WEB_URL: 'http://127.0.0.1:3001', PUBLIC_DOMAIN: 'vitrine.example' },
    ...{ DATA_DIR: './data', MODELS: [], ROLES: ['query', 'project', 'ask'], NATS_STREAM: 'APP_EVENTS', NATS_CREATE: true },
    ...{ NATS_URL: undefined, MONGODB_URL: undefined, EVENTSTORE_URL: undefined, REDIS_URL: undefined, ADMIN_TOKEN: undefined },
    ...{ RATE_LIMIT_PUBLIC: 120, RATE_LIMIT_AGENT: 60, RATE_LIMIT_MCP: 60, WORKERS: 1, TRUST_PROXY: false, LOG_LEVEL: 'info' },
  })
})

await t.test('jobs in NATS need NATS', async (t) => {
  t.throws(() => readConfig({ EVENTSTORE_URL: 'nats' }), { message: 'EVENTSTORE_URL=nats: needs NATS_URL' })
  t.equal(readConfig({ EVENTSTORE_URL: 'nats', NATS_URL: 'nats://a:4222, tls://b:4222' }).EVENTSTORE_URL, 'nats')
})

await t.test('an empty value is none', async (t) => {
  t.equal(readConfig({ API_PORT: '', DATA_DIR: '' }).API_PORT, 3000)
})

await t.test('values', async (t) => {
  t.equal(readConfig({ RATE_LIMIT_PUBLIC: 'off' }).RATE_LIMIT_PUBLIC, null)
  t.equal(readConfig({ RATE_LIMIT_PUBLIC: '10' }).RATE_LIMIT_PUBLIC, 10, 'a batch of ten can pass')
  t.strictSame(readConfig({ ROLES: 'project, query' }).ROLES, ['project', 'query'])
  t.equal(readConfig({ TRUST_PROXY: 'on' }).TRUST_PROXY, true)
  t.match(readConfig({ HOST: '0.0.0.0', API_PORT: '80' }), { BASE_URL: 'http://localhost:80' }, 'a browser cannot open 0.0.0.0')
  t.match(readConfig({ HOST: '::1' }), { BASE_URL: 'http://[::1]:3000' })
  t.match(readConfig({ BASE_URL: 'https://api.example' }), { BASE_URL: 'https://api.example' })
})

await t.test('a bad address says nothing of the password in it', async (t) => {
  t.throws(() => readConfig({ MONGODB_URL: 'mongo://ann:secret@db.example' }), {
    message: 'MONGODB_URL: must begin with mongodb://',
  })
  const redis = [
    'redis://u:s3kr/it#x@127.0.0.1:1',
    'u:s3krit@127.0.0.1:1',
    'redis://u:12/s3krit@h',
    'redis://u:12?s3krit@h',
    'redis://u:s3krit%@h',
  ]
  for (const REDIS_URL of redis)
    t.throws(() => readConfig({ REDIS_URL }), { message: /^REDIS_URL: must be [^\n]+percent-encoded$/ }, REDIS_URL)
  for (const REDIS_URL of ['redis://h', 'rediss://:s3kr%2Fit@h:6379/0', 'redis://u:s3krit@[::1]:6379/?x=1', 'redis://h:6379/'])
    t.equal(readConfig({ REDIS_URL }).REDIS_URL, REDIS_URL)
  const others = {
    NATS_URL: 'nats://u:s3kr/it#x@h',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'u:s3krit@h',
    EVENTSTORE_URL: 'u:s3krit@h',
    ASK_LLM_URL: 'u:s3krit@h',
  }
  for (const [name, value] of Object.entries(others))
    t.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name}: must (?!.*s3kr)`) }, name)
})

await t.test('an address that MongoDB cannot use is one line that names it', async (t) => {
  const table: Record<string, RegExp> = {
    'mongodb://': /host list/,
    'mongodb://ann:sec@ret@db.example': /Invalid connection string/,
    'mongodb://db.example:99999': /99999/,
    'mongodb://db.example/?maxPoolSize=many': /maxPoolSize/,
    'mongodb://db.example/?readPreference=nearby': /read preference/,
    'mongodb://db.example/?nosuch=1': /nosuch/,
    'mongodb://db.example/a.b': /./,
    'mongodb+srv://db.example:27017': /port number/,
  }
  for (const [MONGODB_URL, about] of Object.entries(table)) {
    const opening = openDocuments(readConfig({ MONGODB_URL }))
    await t.rejects(opening, { name: 'ConfigError', message: about }, MONGODB_URL)
    await t.rejects(opening, { message: /^MONGODB_URL: [^\n]+$/ })
  }
  const opened = await openDocuments(readConfig({ MONGODB_URL: 'mongodb://db.example/?replicaSet=rs0' }))
  await opened.close()
})

await t.test('a bad value is one line that names it', async (t) => {
  const table: Record<string, string[]> = {
    API_PORT: ['abc', '-1', '65536', '1.5'],
    RATE_LIMIT_PUBLIC: ['0', '-1', '1.5', 'OFF', 'none', '9'],
    RATE_LIMIT_AGENT: ['9'],
    RATE_LIMIT_MCP: ['9'],
    RATE_LIMIT_PAGES: ['9'],
    MAX_CONNECTIONS: ['9', 'off'],
    MAX_CONNECTIONS_PER_CALLER: ['0', 'none'],
    ASK_LLM_TIMEOUT: ['0', '16', '1.5', 'long'],
    BASE_URL: ['api.example', 'ftp://x', 'https://x/path', 'https://x y'],
    PUBLIC_DOMAIN: ['https://x', 'a b', 'x:y', '<x>'],
    MODELS: [],
    ROLES: ['cook', 'query,,project', ','],
    WORKERS: ['0', '-1', '1.5', '65', 'all'],
    TRUST_PROXY: ['1', 'yes'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://x'],
    LOG_LEVEL: ['loud', 'INFO'],
  }
  for (const [name, values] of Object.entries(table)) {
    for (const value of values) {
      t.throws(
        () => readConfig({ [name]: value }),
        { name: 'ConfigError', message: new RegExp(`^${name}${/URL|ENDPOINT/.test(name) ? '' : '=[^\n]+'}: [^\n]+$`) },
        `${name}=${value}`,
      )
    }
  }
})

await t.test('a secret is not repeated', async (t) => {
  t.throws(() => readConfig({ ADMIN_TOKEN: 'too-short' }), { message: 'ADMIN_TOKEN: must have at least 16 characters' })
})

await t.test('a value can come from a file', async (t) => {
  const folder = folderWith({ port: '4000\n' })
  t.equal(readConfig({ API_PORT_FILE: join(folder, 'port') }).API_PORT, 4000)
  t.throws(() => readConfig({ API_PORT_FILE: join(folder, 'missing') }), ConfigError)
  writeFileSync(join(folder, 'port'), 'abc')
  t.throws(() => readConfig({ API_PORT_FILE: join(folder, 'port') }), /API_PORT=abc/)
})

await t.test('a name that is nearly one of ours is pointed out, and other programs are left alone', async (t) => {
  const meantBy = (name: string) => misspeltVariables({ [name]: 'x' })[0]?.meant
  const misspelt = { API_PROT: 'API_PORT', MONGODB_URI: 'MONGODB_URL', MONGO_URL: 'MONGODB_URL', ROLE: 'ROLES', admin_token: 'ADMIN_TOKEN' }
  for (const [name, meant] of Object.entries(misspelt)) t.equal(meantBy(name), meant, name)
  t.equal(meantBy('ADMIN_TOKEN_FIEL'), 'ADMIN_TOKEN_FILE')
  const others = ['HOME', 'HOSTNAME', 'PATH', 'PORT', 'PWD', 'USER', 'LANG', 'NODE_ENV', 'NATS_PORT', 'NATS_SERVICE_HOST', 'REDIS_PORT']
  for (const name of [...others, 'API_PORT', 'API_PORT_FILE', 'OTEL_SERVICE_NAME']) t.equal(meantBy(name), undefined, name)
})
