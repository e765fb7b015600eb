/** Runs the spec of docs/own-models.md, in a process that loads TypeScript as the program does. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'

const LOADER = resolve('dist/src/compose/models/import-module.js')

t.test('the spec of the guide passes', async (t) => {
  const [, code] = /```ts\n(.*?)```/s.exec(await readFile('docs/own-models.md', 'utf8')) ?? []
  t.ok(code)
  const folder = await temporaryFolder()
  t.teardown(() => removeFolder(folder))
  const file = join(folder, 'spec.ts')
  await writeFile(file, `import shelves, { getShelf, opened } from '${resolve('examples/shelves/index.ts')}'\n${code}`)
  const script = `const { importModule } = await import('${LOADER}'); await importModule('${file}')`
  await t.resolves(promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]))
})
