/** What SECURITY.md says of the packages. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { listening } from '../support/listening.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

interface Locked {
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'))
/** As registries describe a package. */
const PACKUMENT = { name: 'thin', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name: 'thin', version: '1.0.0' } } }
const locked = Object.entries(packages).filter(([path]) => path !== '')

await t.test('every package is pinned to its contents, for every registry', async (t) => {
  t.ok(locked.length > 100)
  t.strictSame(
    locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path),
    [],
  )
})

await t.test('no package has an install script', async (t) => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  t.strictSame(scripted, [])
  t.match(readFileSync(`${ROOT}Dockerfile`, 'utf8'), /npm ci --ignore-scripts/, 'and the image is built without them')
})

await t.test('the list of what is installed can be printed without a network', async (t) => {
  const { stdout } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--offline'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  const { bomFormat, components }: { bomFormat: string; components: { name: string }[] } = JSON.parse(stdout)
  t.equal(bomFormat, 'CycloneDX')
  for (const name of ['fastify', 'libsql', 'mongodb'])
    t.ok(
      components.some((component) => component.name === name),
      name,
    )
})

await t.test('a licence that is not on the list is refused', async (t) => {
  const folder = folderWith({
    'package-lock.json': JSON.stringify({ packages: { '': {}, 'node_modules/odd': {}, 'node_modules/fine': {} } }),
    'node_modules/odd/package.json': JSON.stringify({ name: 'odd', version: '1.0.0', license: 'Odd-1.0 AND MIT' }),
    'node_modules/fine/package.json': JSON.stringify({ name: 'fine', version: '1.0.0', license: '(Odd-1.0 OR MIT)' }),
  })
  await t.rejects(run(process.execPath, [`${ROOT}scripts/licences.mjs`], { cwd: folder }), {
    code: 1,
    stderr: /^licences that are not on the list[^\n]*\n {2}odd 1\.0\.0: Odd-1\.0 AND MIT\n$/,
  })
})

await t.test('a package with a serious vulnerability is refused, if the registry knows of one', async (t) => {
  const folder = folderWith({
    'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', dependencies: { thin: '^1.0.0' } }),
    'package-lock.json': JSON.stringify({
      name: 'shop',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'shop', version: '1.0.0', dependencies: { thin: '^1.0.0' } },
        'node_modules/thin': { version: '1.0.0', integrity: 'sha512-AA==' },
      },
    }),
  })
  const audit = (registry: string, ...flags: string[]) =>
    run(process.execPath, [`${ROOT}scripts/audit.mjs`, ...flags], {
      cwd: folder,
      env: { ...process.env, npm_config_registry: registry, npm_config_cache: `${folder}/cache` },
    })
  const holed = await registryOf(t, 'high')
  await t.rejects(audit(holed), { code: 1, stderr: /^audit: packages with known vulnerabilities:\n {2}thin \*: high\n$/ })
  t.match(await audit(await registryOf(t, 'low')), { stdout: 'audit: no serious vulnerability is known\n' })
  const silent = await registryOf(t, null)
  t.match(
    await audit(silent),
    { stderr: /could not ask for known vulnerabilities/ },
    'a mirror without an audit endpoint does not fail the build',
  )
  await t.rejects(audit(silent, '--strict'), { code: 1 }, 'unless that is asked for')
})

/** A registry that knows of a vulnerability of `thin`, or one without an audit endpoint. */
async function registryOf(t: Test, severity: string | null): Promise<string> {
  const hole = {
    id: severity === 'high' ? 1 : 2,
    url: 'https://example.com/1',
    title: 'Thin',
    severity,
    vulnerable_versions: '<2.0.0',
    cwe: [],
    cvss: { score: 0 },
  }
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST' && severity === null) response.writeHead(405).end()
    else
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(request.method === 'POST' ? { thin: [hole] } : PACKUMENT))
  })
  t.teardown(() => server.close())
  return `http://127.0.0.1:${await listening(server)}/`
}
