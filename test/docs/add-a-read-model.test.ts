/** Follows docs/add-a-read-model.md word by word in a copy of the project, and holds the copy to the tests that look at every model. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'

const LIST = 'src/compose/models/built-in.ts'
const SPEC = 'test/projections/growth.test.ts'

/** They look at every model or every read. */
const TESTS = [
  SPEC,
  'test/projections/erasure.test.ts',
  'test/engine/erasure/redaction.test.ts',
  'test/operations/registry.test.ts',
  'test/discovery/documents.test.ts',
  'test/discovery/examples.test.ts',
  'test/discovery/openapi.test.ts',
  'test/discovery/published.test.ts',
]

const NOT_COPIED = new Set(['.git', '.tap', 'bench', 'data', 'node_modules'])

t.test('the guide adds a model with three files and one list', async (t) => {
  const guide = await readFile('docs/add-a-read-model.md', 'utf8')
  const files = new Map([...guide.matchAll(/^## [^\n]*`([^`\n]+)`\n.*?```ts\n(.*?)```/gms)].map(([, path = '', code = '']) => [path, code]))
  t.strictSame(
    [...files.keys()],
    ['readmodels/growth/documents.ts', 'projections/growth/index.ts', 'readmodels/growth/public-reads.ts', LIST, SPEC],
  )
  const copy = await temporaryFolder()
  t.teardown(() => removeFolder(copy))
  await copyProject(copy)
  for (const [path, code] of files) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await writeFile(join(copy, path), path === LIST ? extendList(await readFile(path, 'utf8'), code) : code)
  }

  const run = runner(copy)
  // Where the imports of the list go is a matter of `npm run format`.
  const linted = [...files.keys()].filter((path) => path !== LIST)
  await t.resolves(run('node_modules/.bin/biome', 'check', '--error-on-warnings', ...linted), 'formatted and linted')
  // The rest is compiled already.
  await writeFile(join(copy, 'tsconfig.growth.json'), JSON.stringify({ extends: './tsconfig.json', files: [...files.keys()], include: [] }))
  await t.resolves(run('node_modules/.bin/tsc', '-p', 'tsconfig.growth.json'), 'it compiles')
  await t.resolves(run('node', 'scripts/write-docs.mjs'), 'npm run docs:write')
  t.match(await readFile(join(copy, 'docs/openapi.json'), 'utf8'), '"/public/share/growth/{category}"')
  await t.resolves(run('node', 'scripts/test/index.mjs', '--built', ...TESTS), 'and every test that looks at all models passes')
})

async function copyProject(folder: string): Promise<void> {
  for (const name of await readdir('.')) {
    if (NOT_COPIED.has(name)) continue
    await cp(name, join(folder, name), { recursive: true, filter: (path) => path !== 'dist/bench' && !path.endsWith('.map') })
  }
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
}

/** The imports go to the top of the list's file, the entry to the end of the list. */
function extendList(source: string, code: string): string {
  const [imports = '', entry = ''] = code.split('\n\n')
  const extended = source.replace(/^import /m, `${imports}\n$&`).replace(/^export const BUILT_IN.*?(?=^\]$)/ms, `$&${entry}`)
  if (!extended.includes(imports) || !extended.includes(entry)) throw new Error(`${LIST} has no list to add to`)
  return extended
}

/** Without the variables by which this test's own runner talks to its children. */
function runner(cwd: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TAP') && !name.startsWith('NODE_')))
  return (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
}
