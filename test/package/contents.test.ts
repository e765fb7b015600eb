/** What `npm pack` puts into the package, of what was built. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import t from 'tap'
import { sh } from './npm.js'

interface Manifest {
  exports: Record<string, { types: string; default: string }>
  bin: Record<string, string>
}

const { exports, bin }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const [packed]: { files: { path: string }[] }[] = JSON.parse((await sh('.', 'npm pack --dry-run --json --ignore-scripts')).stdout)
const paths = packed?.files.map(({ path }) => path) ?? []

/** Everything that may be in it. */
const KINDS = [
  /^dist\/(src|projections|readmodels|content|demo)\/.+\.(js|d\.ts|js\.map)$/,
  /^(assets|public)\//,
  /^content\/.+\.(md|json)$/,
  /^demo\/words\/.+\.(json|txt)$/,
  /^docs\/(.+\.md|(asyncapi|openapi)\.json|pictures\/.+)$/,
  /^(examples|ops)\//,
  /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
  /^(package\.json|compose\.yaml|LICENSE|scripts\/vitrine\.mjs)$/,
]

t.test('the program, what it serves, and nothing else', async (t) => {
  t.strictSame(
    paths.filter((path) => !KINDS.some((kind) => kind.test(path))),
    [],
  )
  for (const kind of KINDS)
    t.ok(
      paths.some((path) => kind.test(path)),
      `${kind}`,
    )
})

t.test('what package.json names is in it, with types', async (t) => {
  const named = [...Object.values(exports).flatMap((entry) => [entry.types, entry.default]), ...Object.values(bin)]
  for (const path of named) t.ok(paths.includes(posix.normalize(path)), path)
  for (const { types } of Object.values(exports)) t.match(types, /\.d\.ts$/)
})

t.test('each module has a source, declarations, and a map with that source', async (t) => {
  const modules = paths.filter((path) => /^dist\/.+\.js$/.test(path))
  t.ok(modules.length > 300)
  const incomplete = modules.filter((path) => {
    const map: { sourcesContent?: unknown[] } = JSON.parse(readFileSync(`${path}.map`, 'utf8'))
    const source = readFileSync(path.replace(/^dist\//, '').replace(/js$/, 'ts'), 'utf8')
    return map.sourcesContent?.[0] !== source || !paths.includes(`${path}.map`) || !paths.includes(path.replace(/js$/, 'd.ts'))
  })
  t.strictSame(incomplete, [])
})
