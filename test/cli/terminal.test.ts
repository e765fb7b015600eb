/** Nothing that comes from outside controls the terminal of the operator, deceives its reader or looks like a line of ours. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { visibleText } from '../../src/lib/visible-text.js'
import { folderWith } from '../adapters/folder.js'
import { ScriptedServer, sendsText } from '../client/scripted-server.js'
import { projectionOf, ReplayFixture } from '../engine/replay/fixture.js'
import { RunningCommand, vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { type Finished, Serving, spawnVitrine } from '../harness/program.js'
import { but, edited, erased, liked, played, poison, profileChanged, registered, unreadable } from '../spec/events.js'

/** What the text of an event may hold. */
const TEXT = 'x\u009b31m\u0085\u202eevil\u2066\u200e\u061c\u200b\u200d\ufeff\u00ad\u2028\u2029\u{e0041}\r\n\tFORGED line'
/** And what else there is. */
const ANYTHING = `${TEXT}\u001b]0;owned\u0007\u001b[31m\u0000\u0008\u007f`
/** Spelled out, not by the classes that the program uses. A line that begins like this is not ours. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}\p{Cs}]|^FORGED/mu
/** Of the screen and of the line that shows progress. */
const OWN = ['\r\u001b[2K', '\u001b[?25l', '\u001b[?25h', '\u001b[2J', '\u001b[H', '\u001b[K', '\u001b[J']

const HOSTILE_EVENTS = [
  ...COMMUNITY,
  profileChanged('ada', { displayName: TEXT, bio: TEXT, links: [{ label: TEXT, url: 'https://ada.example/' }] }),
  edited('maze', { title: { en: TEXT }, description: { en: TEXT }, tags: ['a\u202eb'] }),
  but(played('maze'), { type: `creation.${ANYTHING}\ud800.v1`, id: ANYTHING }),
  but(poison(liked('tides', 'dora')), { type: `creation.liked.v9${ANYTHING}` }),
  poison(but(liked('plants', 'dora'), { id: `second ${ANYTHING}` })),
  unreadable(`creation/plants${TEXT}`, `{"type":"${ANYTHING}`),
  unreadable('creation/mazetwo', JSON.stringify({ specversion: ANYTHING, [ANYTHING]: ANYTHING })),
  but(liked('tides', 'eve'), { sequence: 99 }),
  registered('gone', { displayName: TEXT }),
  erased('gone'),
]

/** What is said to a command, and where its arguments come from. */
interface Place {
  data: string
  /** Of files that may be written. */
  folder: string
  /** Answers everything with hostile text. */
  server: ScriptedServer
  hostileFile: string
}

/** Every command, also with arguments that it quotes in a complaint. `shows`: text of the log must be in what it prints. */
const CALLS: Record<string, (place: Place) => { args: string[]; shows?: true }[]> = {
  status: () => [{ args: [] }],
  health: ({ server }) => [{ args: ['--admin-host', '127.0.0.1', '--admin-port', new URL(server.url).port], shows: true }],
  seed: () => [{ args: ['--creators', ANYTHING], shows: true }, { args: [] }],
  publish: ({ hostileFile, folder }) => [
    { args: [hostileFile, '--dry-run'], shows: true },
    { args: [hostileFile], shows: true },
    { args: [join(folder, ANYTHING.replaceAll('\u0000', ''))], shows: true },
  ],
  copy: () => [{ args: ['--to', ANYTHING] }],
  verify: () => [{ args: ['feed'], shows: true }, { args: ['all', '--sample', ANYTHING] }],
  replay: ({ folder }) => [
    { args: ['feed'], shows: true },
    { args: ['feed', '--key', ANYTHING], shows: true },
    { args: ['feed', '--out', join(folder, `${TEXT.replaceAll('/', '')}.csv`)], shows: true },
    { args: ['feed', '--collection', ANYTHING], shows: true },
  ],
  explain: () => [
    { args: ['creation/maze'], shows: true },
    { args: ['@Ada-L'], shows: true },
    { args: ['creation/tides'], shows: true },
    { args: [`@${ANYTHING}`], shows: true },
  ],
  rebuild: () => [{ args: ['feed'] }, { args: [ANYTHING], shows: true }],
  generations: () => [{ args: [] }, { args: [ANYTHING], shows: true }],
  'dead-letters': () => [
    { args: ['list'], shows: true },
    { args: ['show', 'feed', 'creation/mazetwo'], shows: true },
    { args: ['show', 'feed', 'creation/plants'], shows: true },
    { args: ['replay', 'all'] },
    { args: ['discard', 'all', String(COMMUNITY.length + 5), '--reason', `because ${ANYTHING}`] },
    { args: ['discarded'], shows: true },
    { args: [ANYTHING], shows: true },
  ],
  redact: () => [{ args: ['creator/gone'] }, { args: [ANYTHING] }],
  backup: ({ folder }) => [{ args: [join(folder, `backup ${Math.random()} ${TEXT}`)], shows: true }],
  restore: ({ folder }) => [{ args: [join(folder, TEXT)], shows: true }],
  openapi: () => [{ args: ['--base-url', 'https://\u202e.example'] }],
  asyncapi: () => [{ args: [] }],
  client: ({ folder, server }) => [
    { args: ['--from', join(folder, 'openapi.json')], shows: true },
    { args: ['--from', `${server.url}/${TEXT}`], shows: true },
  ],
  models: () => [{ args: [] }, { args: ['accept'] }, { args: [ANYTHING] }],
  doctor: () => [{ args: [] }],
  completion: () => [{ args: ['fish'] }, { args: [ANYTHING] }],
}

/** Long-running, with tests of their own below. */
const ENDLESS = ['serve']

const MODES = { plain: {}, json: {}, 'a terminal': { window: { columns: 500, rows: 500 } } }

async function hostilePlace(t: Test): Promise<Place> {
  const fixture = await ReplayFixture.open(t, ...HOSTILE_EVENTS)
  const folder = folderWith()
  const [first] = await fixture.folder.records()
  const envelope = (over: object) => JSON.stringify({ ...JSON.parse(first?.payload ?? ''), ...over })
  const hostileFile = join(folder, `events ${TEXT}`)
  const lines = [
    envelope({ id: ANYTHING, type: `a.${ANYTHING}` }),
    envelope({ id: `another ${ANYTHING}`, subject: ANYTHING }),
    envelope({ id: 'third', data: { [ANYTHING]: ANYTHING } }),
    `{"${ANYTHING}`,
  ]
  await writeFile(hostileFile, `${lines.join('\n')}\n`)
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApi))
  const server = await ScriptedServer.start(t, [sendsText(ANYTHING, 'text/plain')])
  // A document that is not what the log says, and one that cannot be read.
  await fixture.runSql(projectionOf('feed'), 'UPDATE items SET doc = ? WHERE id = ?', `not ${ANYTHING.replaceAll('\u0000', '')}`, 'plants')
  return { data: fixture.folder.path, folder, server, hostileFile }
}

const openApi = {
  components: { schemas: {} },
  paths: {
    [`/${ANYTHING}`]: {
      get: {
        operationId: 'read',
        summary: ANYTHING,
        description: ANYTHING,
        'x-service-operation': 'read',
        parameters: [{ name: ANYTHING, in: 'query', description: ANYTHING, schema: { enum: [ANYTHING] } }],
        responses: {
          200: { content: { 'application/json': { schema: { properties: { data: { type: 'string', description: ANYTHING } } } } } },
        },
      },
    },
  },
}

/** For names of tests, which the protocol of the runner cuts at odd signs. */
const printable = (text: string): string => text.replaceAll(/[^ -~]+/g, '?').slice(0, 60)

function assertVisible(t: Test, { stdout, stderr }: Pick<Finished, 'stdout' | 'stderr'>, what: string, own: readonly string[] = []): void {
  const printed = own.reduce((text, sequence) => text.replaceAll(sequence, ''), `${stdout}\n${stderr}`)
  const found = UNSEEN.exec(printed)
  t.equal(found === null ? null : visibleText(printed.slice(Math.max(0, found.index - 60), found.index + 20)), null, what)
}

t.test('every command that there is', async (t) => {
  const help = (await vitrine(['help'])).stdout
  const section = help.slice(help.indexOf('Commands:'), help.indexOf('Configuration'))
  const names = [...section.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)
  t.strictSame([...Object.keys(CALLS), ...ENDLESS].toSorted(), names.toSorted(), 'is called here')
})

for (const [mode, options] of Object.entries(MODES)) {
  t.test(`every command, ${mode}`, async (t) => {
    const place = await hostilePlace(t)
    for (const [name, calls] of Object.entries(CALLS)) {
      for (const { args, shows } of calls(place)) {
        const flags = ['--data-dir', place.data, ...(mode === 'json' ? ['--json'] : [])]
        const finished = await vitrine([name, ...args, ...flags], options)
        const what = [name, ...args].map(printable).join(' ')
        assertVisible(t, finished, what, 'window' in options ? OWN : [])
        if (shows) t.ok(`${finished.stdout}${finished.stderr}`.includes('\\u202e'), `${what} shows it`)
        if (mode === 'json' && finished.stderr === '' && name !== 'client' && name !== 'completion')
          for (const line of name === 'replay' ? finished.stdout.trimEnd().split('\n') : [finished.stdout]) JSON.parse(line)
      }
    }
    for (const args of [[ANYTHING], ['status', `--${ANYTHING}`], ['status', ANYTHING], ['status', '--api-port', ANYTHING]])
      assertVisible(t, await vitrine(args, { ...options, env: { DATA_DIR: place.data } }), args.map(printable).join(' '))
    assertVisible(t, await vitrine(['status', '--data-dir', TEXT], options), 'a folder that is not there')
    assertVisible(t, await vitrine(['status', '--models', TEXT], options), 'models that are not there')
  })
}

t.test('what the JSON says is exact', async (t) => {
  const { data } = await hostilePlace(t)
  const { stdout } = await vitrine(['replay', 'feed', '--key', 'maze', '--data-dir', data])
  t.equal(JSON.parse(stdout).title.en, TEXT)
})

t.test('the screen', async (t) => {
  const { data } = await hostilePlace(t)
  for (const options of [{}, { window: { columns: 500, rows: 500 } }]) {
    const command = new RunningCommand(['status', '--watch', '--data-dir', data], options)
    await command.until('stdout', /Upstream sequences/)
    command.signal('SIGINT')
    assertVisible(t, await command.ended, 'status --watch', 'window' in options ? OWN : [])
  }
})

t.test('the log of a service, which quotes what events and callers say', async (t) => {
  const { data } = await hostilePlace(t)
  const serving = await Serving.start(t, data, [], { LOG_LEVEL: 'trace' })
  await serving.ready()
  const path = encodeURIComponent(`${TEXT}\u001b`)
  for (const port of [serving.api, serving.web, serving.admin])
    await fetch(`http://127.0.0.1:${port}/${path}?q=${path}`, { headers: { 'user-agent': 'x\u009b\u0085' } })
  await serving.end('SIGTERM')
  t.not(serving.stderr, '')
  assertVisible(t, serving, 'JSON')
  for (const line of serving.stderr.trimEnd().split('\n')) JSON.parse(line)
})

t.test('a crash', async (t) => {
  const folder = folderWith()
  const models = join(folder, 'models.mjs')
  await mkdir(join(folder, 'data'))
  // A module that fails later, outside of every call.
  await writeFile(
    models,
    `setTimeout(() => { throw new Error(${JSON.stringify(ANYTHING)}) })\nawait new Promise(() => setTimeout(() => {}, 60000))\n`,
  )
  const finished = await spawnVitrine(['models', '--models', models, '--data-dir', join(folder, 'data')])
  t.match(finished, { code: 1, stderr: /^vitrine ended:\n {2}Error: .*\\u202e/ })
  assertVisible(t, finished, 'an uncaught error')
})
