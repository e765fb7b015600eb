/** What SECURITY.md says of the packages. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

interface Locked {
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'))
const locked = Object.entries(packages).filter(([path]) => path !== '')

await t.test('every package is pinned to its contents, wherever it is fetched from', async (t) => {
  t.ok(locked.length > 100)
  t.strictSame(
    locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path),
    [],
  )
})

await t.test('no package needs its install script', async (t) => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  // Its script warns of version ranges and makes nothing.
  t.strictSame(scripted, ['node_modules/protobufjs'])
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

await t.test('a licence that nobody has looked at is refused', async (t) => {
  const folder = t.testdir({
    'package-lock.json': JSON.stringify({ packages: { '': {}, 'node_modules/odd': {}, 'node_modules/fine': {} } }),
    node_modules: {
      odd: { 'package.json': JSON.stringify({ name: 'odd', version: '1.0.0', license: 'Odd-1.0 AND MIT' }) },
      fine: { 'package.json': JSON.stringify({ name: 'fine', version: '1.0.0', license: '(Odd-1.0 OR MIT)' }) },
    },
  })
  await t.rejects(run(process.execPath, [`${ROOT}scripts/licences.mjs`], { cwd: folder }), {
    code: 1,
    stderr: /^licences that are not on the list[^\n]*\n {2}odd 1\.0\.0: Odd-1\.0 AND MIT\n$/,
  })
})
