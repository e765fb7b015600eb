/** What the command line and the environment may say, and what the program says where they are wrong. */

import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { CommandError, parseArguments } from '../../src/cli/command-line.js'
import { parseMoment } from '../../src/cli/commands/replay.js'
import { Io } from '../../src/cli/io.js'
import { ConfigError, readConfig } from '../../src/compose/config.js'
import { openDocuments } from '../../src/compose/stores.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'

await t.test('help lists the commands and the configuration', async (t) => {
  for (const word of ['help', '--help', '-h']) {
    const { code, stdout, stderr } = await vitrine([word])
    t.strictSame([code, stderr], [0, ''], word)
    for (const command of ['serve', 'status', 'seed', 'publish', 'openapi', 'asyncapi', 'doctor'])
      t.match(stdout, new RegExp(`^  ${command} `, 'm'))
    t.match(stdout, /DATA_DIR +--data-dir/)
  }
})

await t.test('help is printed in columns, with the defaults', async (t) => {
  const { stdout } = await vitrine(['help'])
  const [, commands = '', variables = ''] = stdout.split(/^(?:Commands|Configuration \(environment or flag\)):\n/m)
  const columnOf = (line: string, cell: RegExp) => line.search(cell)
  const summaries = commands
    .trimEnd()
    .split('\n')
    .map((line) => columnOf(line, /(?<=^ {2}\S+ +)\S/))
  t.equal(new Set(summaries).size, 1, commands)
  const flags = variables
    .trimEnd()
    .split('\n')
    .map((line) => columnOf(line, /--/))
  t.equal(new Set(flags).size, 1, variables)
  const presets = { API_PORT: '3000', DATA_DIR: './data', ROLES: 'query,project,ask', TRUST_PROXY: 'off', NATS_CREATE: 'on' }
  for (const [name, preset] of Object.entries(presets))
    t.ok(
      variables.split('\n').some((line) => line.includes(` ${name} `) && line.endsWith(`(${preset})`)),
      name,
    )
  t.notMatch(variables, /\((?:undefined|null)?\)$/m, 'and nothing where that is nothing')
})

await t.test('help explains a command, too', async (t) => {
  for (const args of [
    ['help', 'seed'],
    ['--help', 'seed'],
  ])
    t.match(await vitrine(args), { code: 0, stdout: /^Usage: vitrine seed\n/ }, args.join(' '))
})

await t.test('it says which version it is', async (t) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  t.match(await vitrine(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

await t.test('without a command it prints its usage and fails', async (t) => {
  const { code, stdout } = await vitrine([])
  t.equal(code, 2)
  t.match(stdout, /^Usage: vitrine/)
})

await t.test('every command explains itself', async (t) => {
  const { code, stdout } = await vitrine(['seed', '--help', '--nonsense'])
  t.equal(code, 0)
  t.match(stdout, /^Usage: vitrine seed/)
  t.match(stdout, /--creators/)
})

await t.test('what it does not understand is one line and exit code 2', async (t) => {
  const table: [args: string[], line: RegExp][] = [
    [['launch'], /"launch"/],
    [['--serve'], /"--serve"/],
    [['__proto__'], /"__proto__"/],
    [['status', '--nonsense'], /Unknown option '--nonsense': "vitrine status --help" lists them\n/],
    [['help', 'launch'], /"launch"/],
    [['seed', '--creators', '-1'], /'--creators'/],
    [['status', 'now'], /"now"/],
    [['status', '--data-dir'], /--data-dir/],
    [['status', '--json=yes'], /--json/],
    [['seed', '--creators', 'many'], /--creators must be a whole number/],
    [['seed', '--creators=-1'], /--creators must be a whole number/],
    [['seed', '--creators', '0', '--creations', '5'], /--creators must be at least 1/],
    [['publish'], /one file/],
    [['publish', 'a', 'b'], /one file/],
    [['serve', '--api-port', 'abc'], /API_PORT=abc: must be a port number/],
    [['serve', '--api-port', '70000'], /API_PORT=70000/],
    [['serve', '--nats-replicas', '2'], /NATS_REPLICAS=2: must be 1, 3 or 5/],
    [['serve', '--rate-limit-public', 'some'], /RATE_LIMIT_PUBLIC=some: must be .*"off"/],
    [['serve', '--roles', 'query,cook'], /ROLES=query,cook/],
    [['serve', '--log-level', 'loud'], /LOG_LEVEL=loud/],
    [['serve', '--base-url', 'example.com'], /BASE_URL=example.com/],
    [['serve', '--trust-proxy', 'perhaps'], /TRUST_PROXY=perhaps/],
    [['serve', '--public-domain', 'a/b'], /PUBLIC_DOMAIN=a\/b/],
    [['status', '--data-dir', '/dev/null/x'], /\/dev\/null\/x/],
    [['seed', '--data-dir', '/dev/null/x'], /\/dev\/null\/x/],
  ]
  for (const [args, line] of table) {
    const { code, stdout, stderr } = await vitrine(args)
    t.strictSame([code, stdout], [2, ''], args.join(' '))
    t.match(stderr, /^vitrine[^\n]*\n$/, `${args.join(' ')}: one line`)
    t.match(stderr, line)
  }
})

await t.test('the environment is the configuration, too', async (t) => {
  const { code, stderr } = await vitrine(['status'], { env: { WEB_PORT: '-1' } })
  t.equal(code, 2)
  t.match(stderr, /^vitrine status: WEB_PORT=-1: [^\n]+\n$/)
})

await t.test('the descriptions are printed as JSON', async (t) => {
  const openapi = await vitrine(['openapi', '--base-url', 'https://api.example', '--web-url', 'https://web.example'])
  t.equal(openapi.code, 0)
  const described = JSON.parse(openapi.stdout)
  t.match(described, { openapi: /^3\.1/, info: { version: '1.0.0' }, servers: [{ url: 'https://api.example' }] })
  for (const path of ['/public/share/community', '/ask', '/batch']) t.ok(path in described.paths, path)

  const asyncapi = await vitrine(['asyncapi'])
  t.equal(asyncapi.code, 0)
  t.match(JSON.parse(asyncapi.stdout), { asyncapi: /^3\./ })
})

await t.test('the defaults of the design', async (t) => {
  t.strictSame(readConfig({}), {
    HOST: '127.0.0.1',
    API_PORT: 3000,
    WEB_PORT: 3001,
    ADMIN_PORT: 3002,
    ADMIN_HOST: '127.0.0.1',
    BASE_URL: 'http://127.0.0.1:3000',
    WEB_URL: 'http://127.0.0.1:3001',
    PUBLIC_DOMAIN: 'vitrine.example',
    PICTURE_ORIGINS: [],
    DATA_DIR: './data',
    ROLES: ['query', 'project', 'ask'],
    NATS_URL: undefined,
    NATS_STREAM: 'APP_EVENTS',
    NATS_CREATE: true,
    NATS_REPLICAS: 1,
    NATS_USER: undefined,
    NATS_PASSWORD: undefined,
    NATS_TOKEN: undefined,
    NATS_CREDS: undefined,
    NATS_TLS_CA: undefined,
    NATS_TLS_CERT: undefined,
    NATS_TLS_KEY: undefined,
    MONGODB_URL: undefined,
    EVENTSTORE_URL: undefined,
    REDIS_URL: undefined,
    WORKERS: 1,
    ON_VERSION_CHANGE: 'keep',
    ASK_LLM_URL: undefined,
    ASK_LLM_MODEL: undefined,
    ASK_LLM_KEY: undefined,
    ASK_LLM_TIMEOUT: 3,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    ADMIN_TOKEN: undefined,
    RATE_LIMIT_PUBLIC: 120,
    RATE_LIMIT_AGENT: 60,
    RATE_LIMIT_MCP: 60,
    MAX_CONNECTIONS: 4000,
    MAX_CONNECTIONS_PER_CALLER: 256,
    TRUST_PROXY: false,
    LOG_LEVEL: 'info',
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
    message: 'MONGODB_URL=mongo://…@db.example: must begin with mongodb://',
  })
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
    MAX_CONNECTIONS: ['9', 'off'],
    MAX_CONNECTIONS_PER_CALLER: ['0', 'none'],
    ASK_LLM_TIMEOUT: ['0', '16', '1.5', 'long'],
    BASE_URL: ['api.example', 'ftp://x', 'https://x/path', 'https://x y'],
    PUBLIC_DOMAIN: ['https://x', 'a b', 'x:y', '<x>'],
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
        { name: 'ConfigError', message: new RegExp(`^${name}=[^\n]+: [^\n]+$`) },
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

await t.test('flags win over the environment, and over its files', async (t) => {
  const folder = folderWith({ port: '4000' })
  const command = { name: 'x', summary: '', run: async () => 0 }
  const environment = { API_PORT: '5000', API_PORT_FILE: join(folder, 'port'), WEB_PORT: '5001' }
  t.match(parseArguments(command, ['--api-port', '6000'], environment, new Io(process)).config, { API_PORT: 6000, WEB_PORT: 5001 })
})

t.test('a position, or a time; without a zone it is UTC on every machine', async (t) => {
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  t.teardown(() => (zone === undefined ? delete process.env.TZ : Object.assign(process.env, { TZ: zone })))
  const table: [text: string, moment: unknown][] = [
    ['120000', { position: 120_000 }],
    ['2026-10-01', { time: Date.UTC(2026, 9, 1) }],
    ['2026-10-01T08:30', { time: Date.UTC(2026, 9, 1, 8, 30) }],
    ['2026-10-01T08:30:15', { time: Date.UTC(2026, 9, 1, 8, 30, 15) }],
    ['2026-10-01T08:30:15.25Z', { time: Date.UTC(2026, 9, 1, 8, 30, 15, 250) }],
    ['2026-10-01T00:00:00+14:00', { time: Date.UTC(2026, 8, 30, 10) }],
    ['2028-02-29', { time: Date.UTC(2028, 1, 29) }],
  ]
  for (const [text, moment] of table) t.strictSame(parseMoment('until', text), moment, text)
  t.equal(parseMoment('until', undefined), undefined)
})

t.test('what is no moment is refused, a day that its month does not have too', async (t) => {
  for (const text of ['', 'yesterday', '-5', '2026-02-30', '2026-13-01', '2026-00-10', '2026-10-01T25:00', '2026-10-01T08:30 PST', '1e3'])
    t.throws(() => parseMoment('until', text), CommandError, text)
})
