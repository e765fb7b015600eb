/** What `npm ci` says in a checkout. A dry run warns as the real one does, and needs no network. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { sh } from './npm.js'

interface Locked {
  engines?: { node?: string }
  deprecated?: string
}

interface Lock {
  packages: Record<string, Locked>
}

const [manifest = '', lockFile = '', npmrc = ''] = ['package.json', 'package-lock.json', '.npmrc'].map((path) => readFileSync(path, 'utf8'))
const { engines }: { engines: { node: string } } = JSON.parse(manifest)
const lock: Lock = JSON.parse(lockFile)
const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? []

/** `npm` is told that it runs on this version of Node. */
async function warningsOn(version: string, { packages }: Lock): Promise<readonly string[]> {
  const cwd = folderWith({
    'package.json': manifest,
    'package-lock.json': JSON.stringify({ ...lock, packages }),
    '.npmrc': npmrc,
    'version.cjs': `Object.defineProperty(process, 'version', { value: '${version}' })`,
  })
  return (await sh(cwd, 'npm ci --dry-run --offline', { NODE_OPTIONS: '--require ./version.cjs' })).warnings
}

t.test('it warns of nothing, here and on the oldest Node that is supported', async (t) => {
  t.match(oldest, /^\d+\.\d+$/)
  for (const version of [process.version, `v${oldest}.0`]) t.strictSame(await warningsOn(version, lock), [], version)
})

t.test('no package is deprecated, of which only the real one warns', async (t) => {
  const deprecated = Object.entries(lock.packages).filter(([, locked]) => locked.deprecated !== undefined)
  t.strictSame(
    deprecated.map(([path]) => path),
    [],
  )
})

// Install scripts, of which not every release of npm warns, are looked for by test/docs/packages.test.ts.
t.test('a package that wants a newer Node is noticed', async (t) => {
  const path = 'node_modules/cookie'
  const packages = { ...lock.packages, [path]: { ...lock.packages[path], engines: { node: '>=22' } } }
  t.match((await warningsOn(`v${oldest}.0`, { packages })).join('\n'), /EBADENGINE.*\n.*cookie@/)
})
