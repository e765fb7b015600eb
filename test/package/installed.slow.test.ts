/** The package as people get it: packed from a copy of the checkout, installed into an empty folder, run and compiled against. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { Tutorial } from '../docs/tutorial.js'
import { environmentOf } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { serverPorts } from '../servers/ports.js'
import { registryAnswers, sh } from './npm.js'

const [, section = ''] = /^## As a package\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? []
const [pack = '', install = '', serve = '', replay = ''] = [...section.matchAll(/^(np[mx] [^#\n]+)/gm)].map(([, line = '']) => line.trim())
const [, own = ''] = /^(MODELS=.+)$/m.exec(section) ?? []
const [, ownPath = ''] = /^curl http:\/\/127\.0\.0\.1:3000(\S+)$/m.exec(section) ?? []
const { exports }: { exports: Record<string, unknown> } = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.keys(exports).map((key) => key.replace(/^\./, 'vitrine'))

const folder = folderWith({ 'shop/package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }) })
const [checkout, shop] = [join(folder, 'vitrine'), join(folder, 'shop')]
const tsc = resolve('node_modules/.bin/tsc')

if (await registryAnswers(t)) {
  await t.test('it is built and packed by one command', async () => {
    await copyCheckout()
    await sh(checkout, pack)
  })

  await t.test('it installs without a warning but one, without scripts, and without what only the checkout needs', async (t) => {
    const { warnings } = await sh(shop, `${install} --ignore-scripts`)
    const ofScripts = /^npm warn install-scripts\b(?: {2,}(\S+)@)?/
    t.strictSame(
      warnings.filter((text) => !ofScripts.test(text)),
      [],
    )
    const named = warnings.flatMap((text) => ofScripts.exec(text)?.[1] ?? [])
    t.ok(
      named.every((name) => name === 'protobufjs'),
      'newer releases of npm name the one script, which nothing here needs',
    )
    t.notOk(existsSync(join(shop, 'node_modules/typescript')))
  })

  await t.test('every entry can be imported, and is typed for strict programs that check their libraries', async (t) => {
    for (const entry of entries) {
      const listed = await sh(shop, `node --input-type=module -e "console.log(Object.keys(await import('${entry}')).length)"`)
      t.ok(Number(listed.stdout) > 0 || entry === 'vitrine/typescript', entry)
    }
    const examples = join(shop, 'node_modules/vitrine/examples')
    await copyFile(join(examples, 'remix-depth.ts'), join(shop, 'remix-depth.ts'))
    await cp(join(examples, 'shelves'), join(shop, 'shelves'), { recursive: true })
    await writeFile(join(shop, 'entries.ts'), entries.map((entry, n) => `export * as entry${n} from '${entry}'`).join('\n'))
    await writeFile(
      join(shop, 'mistake.ts'),
      `import { declared, latest, list, state } from 'vitrine'
const creation = state('creation', { on: latest(false) }).index('byOn', ['on'])
const basics = { name: 'wrong', version: 1, keeps: [creation] }
// @ts-expect-error: it has no such event
declared({ ...basics, on: { 'creation.polished': () => null } })
// @ts-expect-error: the state has no such field
declared({ ...basics, on: { 'creation.published': () => creation({ onn: true }) } })
// @ts-expect-error: nor such an index
list(creation, 'byOnn', { name: 'all', path: '/', summary: 'All', fields: ['on'] })
`,
    )
    await compiles(t, 'nodenext')
    await compiles(t, 'esnext', 'bundler')
  })

  await t.test('the demo runs and is read; a projection of one’s own is run over it', async (t) => {
    const serving = await served(t, serve)
    const feed = JSON.parse((await request(serving.api, '/public/share/community?limit=2')).body)
    t.match(feed, { code: 0, data: { items: [{}, {}], hasMore: true } })
    for (const path of ['/', '/docs', '/changelog', '/llms.txt']) t.equal((await request(serving.web, path)).statusCode, 200, path)
    t.equal((await request(serving.admin, '/')).statusCode, 200)
    await copyFile('examples/client.mjs', join(shop, 'client.mjs'))
    const hosts = `API_URL=http://127.0.0.1:${serving.api} WEB_URL=http://127.0.0.1:${serving.web}`
    t.match((await sh(shop, `${hosts} node client.mjs`)).stdout, /^No profile: No creator has this handle\.$(.|\n)*20 USD/m)
    const { stdout } = await sh(shop, replay)
    t.match(stdout, /deepest/)
    t.notMatch(await serving.interrupted(), /error|warn/i)
  })

  await t.test('a model of one’s own is served', async (t) => {
    const serving = await served(t, own)
    t.match(JSON.parse((await request(serving.api, ownPath)).body), { code: 0, data: { title: 'For rainy days' } })
    t.match((await request(serving.web, '/openapi.json')).body, ownPath.replace('s_1', '{shelfId}'))
    t.notMatch(await serving.interrupted(), /error|warn/i)
  })

  await t.test('the tutorial does what it says, and its code compiles', async (t) => {
    const folder = join(shop, 'tutorial')
    await mkdir(folder)
    const tutorial = await Tutorial.begin(t, folder)
    await tutorial.specify()
    await tutorial.serve()
    await compiles(t, 'nodenext')
  })

  await t.test('its stack traces name lines of the sources', async (t) => {
    const config = './node_modules/vitrine/dist/src/compose/config.js'
    const call = `const { readConfig } = await import('${config}'); try { readConfig({ API_PORT: 'x' }) } catch ({ stack }) { console.log(stack) }`
    t.match(
      (await sh(shop, `node --enable-source-maps --input-type=module -e "${call}"`)).stdout,
      /vitrine\/src\/compose\/config\.ts:\d+:\d+/,
    )
  })

  await t.test('ask jobs can live in EventStoreDB without a second install (a stand-in serving its protocol)', async (t) => {
    const standIn = await EventStoreStandIn.start()
    t.teardown(() => standIn.stop())
    const { stdout } = await sh(shop, 'npx vitrine doctor --json', { EVENTSTORE_URL: standIn.url })
    const { findings }: { findings: { check: string; finding: string }[] } = JSON.parse(stdout)
    t.equal(findings.find(({ check }) => check === 'event store')?.finding, 'answers')
  })
}

interface Served {
  api: number
  web: number
  admin: number
  /** Stops it as the terminal does for Ctrl+C; what it has said. */
  interrupted(): Promise<string>
}

/** Runs a line that serves, in the folder, on free ports. */
async function served(t: Test, line: string): Promise<Served> {
  const [api = 0, web = 0, admin = 0] = await serverPorts(3)
  const ports = { API_PORT: String(api), WEB_PORT: String(web), ADMIN_PORT: String(admin) }
  const child = spawn('sh', ['-c', line], { cwd: shop, env: environmentOf({ HOME: folder, ...ports }), detached: true })
  const interrupt = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal)
  const exit = once(child, 'close')
  t.teardown(() => child.exitCode === null && child.signalCode === null && interrupt('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  while (!said.includes('Stop with')) {
    const [code] = await Promise.race([once(child.stdout, 'data'), exit])
    if (typeof code === 'number') throw new Error(`it ended with ${code}: ${said}`)
  }
  return {
    api,
    web,
    admin,
    async interrupted() {
      interrupt('SIGINT')
      await exit
      return said
    },
  }
}

/** Without what was built or installed in it: packing builds it again, and this checkout is in use by other tests. */
async function copyCheckout(): Promise<void> {
  const left = ['node_modules', 'dist', 'data', '.git', '.tap'].map((path) => resolve(path))
  await mkdir(checkout)
  await cp('.', checkout, { recursive: true, filter: (path) => !left.includes(resolve(path)) })
  await symlink(resolve('node_modules'), join(checkout, 'node_modules'))
}

async function compiles(t: Test, module: string, moduleResolution = module): Promise<void> {
  const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022', types: [], module, moduleResolution }
  await writeFile(join(shop, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'shelves', 'tutorial'] }))
  t.equal((await sh(shop, `'${tsc}' -p . || true`)).stdout, '', moduleResolution)
}
