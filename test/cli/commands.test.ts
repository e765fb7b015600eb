import { readFile } from 'node:fs/promises'
import t from 'tap'
import { vitrine } from '../serving/command.js'

await t.test('help lists the commands and the configuration', async (t) => {
  for (const word of ['help', '--help', '-h']) {
    const { code, stdout, stderr } = await vitrine([word])
    t.strictSame([code, stderr], [0, ''], word)
    for (const command of ['serve', 'status', 'seed', 'publish', 'openapi', 'asyncapi', 'doctor'])
      t.match(stdout, new RegExp(`^  ${command} `, 'm'))
    t.match(stdout, /DATA_DIR +--data-dir/)
  }
})

await t.test('help stands in columns, and says what holds where nothing is said', async (t) => {
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

await t.test('without a command it says how it is used, and that this was not it', async (t) => {
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
