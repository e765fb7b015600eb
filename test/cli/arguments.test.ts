/** What the command line may say, and what the program says where they are wrong. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { CommandError, parseArguments } from '../../src/cli/command-line.js'
import { parseMoment } from '../../src/cli/commands/replay.js'
import { Io } from '../../src/cli/io.js'
import { diagnoseRedis } from '../../src/rate-limit/redis-rate-windows.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'

await t.test('help lists the commands and the configuration', async (t) => {
  for (const word of ['help', '--help', '-h']) {
    const { code, stdout, stderr } = await vitrine([word])
    t.strictSame([code, stderr], [0, ''], word)
    for (const command of ['serve', 'status', 'seed', 'publish', 'openapi', 'asyncapi', 'doctor'])
      t.match(stdout, new RegExp(`^  ${command} `, 'm'))
    t.match(stdout, /DATA_DIR +--data-dir .*\(\.\/data\)$/m)
    t.notMatch(stdout, /\((?:undefined|null)?\)$/m, 'no default where there is none')
  }
})

await t.test('it says which version it is', async (t) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  for (const flag of ['--version', '-v']) t.match(await vitrine([flag]), { code: 0, stdout: `${version}\n`, stderr: '' }, flag)
})

await t.test('without a command it prints its usage and fails', async (t) => {
  const { code, stdout } = await vitrine([])
  t.equal(code, 2)
  t.match(stdout, /^Usage: vitrine/)
})

await t.test('every command explains itself', async (t) => {
  for (const args of ['seed --help --nonsense', 'help seed', '--help seed'])
    t.match(await vitrine(args.split(' ')), { code: 0, stdout: /^Usage: vitrine seed\n[\s\S]*--creators/ }, args)
})

await t.test('every help text has an example that the program understands, and the names it may take', async (t) => {
  const { stdout: listed } = await vitrine(['help'])
  const [, names = ''] = /^Commands:\n(.*?)\n\n/ms.exec(listed) ?? []
  for (const [, name = ''] of names.matchAll(/^ {2}(\S+)/gm)) {
    const { stdout } = await vitrine([name, '--help'])
    const [, example = ''] = /^Example: vitrine (.+)$/m.exec(stdout) ?? []
    const [command, ...args] = example.replace(/ > .*/, '').split(' ')
    t.equal(command, name)
    const flags = args.filter((arg) => arg.startsWith('--')).map((flag) => flag.slice(2))
    for (const flag of flags) t.ok(stdout.includes(` --${flag} `) || listed.includes(` --${flag} `), `${name} --${flag}`)
    t.equal(/^Projections: feed, tags, profiles, shares, integrity$/m.test(stdout), /NAME|--projection/.test(stdout), name)
  }
})

await t.test('what it does not understand is one line and exit code 2', async (t) => {
  const table: [args: string[], line: RegExp][] = [
    [['launch'], /"launch"/],
    [['--serve'], /"--serve"/],
    [['__proto__'], /"__proto__"/],
    [['status', '--nonsense'], /Unknown option '--nonsense': "vitrine status --help" lists them\n/],
    [['help', 'launch'], /no command "launch"\. /],
    [['sede'], /no command "sede" \(did you mean "seed"\?\)/],
    [['seed', '--creator', '5'], /Unknown option '--creator' \(did you mean "--creators"\?\): /],
    [['serve', '--api-prot', '5'], /Unknown option '--api-prot' \(did you mean "--api-port"\?\): /],
    [['replay', 'fed', '--nats-url', 'nats://127.0.0.1:1'], /no projection "fed", only feed, .* \(did you mean "feed"\?\)/],
    [['seed', '--creators', '-1'], /'--creators'/],
    [['status', 'now'], /"now"/],
    [['status', '--data-dir'], /--data-dir/],
    [['status', '--json=yes'], /--json/],
    [['seed', '--creators', 'many'], /--creators must be a whole number/],
    [['seed', '--creators=-1'], /--creators must be a whole number/],
    [['seed', '--creators', '0', '--creations', '5'], /--creators must be at least 1/],
    [['publish'], /one file/],
    [['publish', 'a', 'b'], /"b" is one word too many/],
    [['serve', '--api-port', 'abc'], /API_PORT=abc: must be a port number/],
    [['serve', '--nats-replicas', '2'], /NATS_REPLICAS=2: must be 1, 3 or 5/],
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

await t.test('a password in an address that is no address is not printed', async (t) => {
  // The configuration refuses such an address before this.
  const finding = await diagnoseRedis('redis://u:s3kr/it#x@127.0.0.1:1')
  t.match(finding, { finding: /^cannot be reached \(Invalid URL\)/ })
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

await t.test('flags win over the environment, and over its files', async (t) => {
  const folder = folderWith({ port: '4000' })
  const command = { name: 'x', summary: '', example: 'x', run: async () => 0 }
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
