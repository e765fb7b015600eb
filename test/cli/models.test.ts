/** What `vitrine models` warns of, and refuses. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { DataFolder } from '../harness/data-folder.js'
import { spawnVitrine } from '../harness/program.js'

t.test('an event type that no model handles is named', async (t) => {
  const folder = folderWith()
  const models = join(folder, 'wishes')
  await cp('examples/wishes', models, { recursive: true })
  const list = () => spawnVitrine(['models', '--models', models, '--data-dir', join(folder, 'data')])
  t.notMatch((await list()).stdout, 'No model handles')
  const file = join(models, 'index.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/'wish.granted': .*/, ''))
  t.match(await list(), { code: 0, stdout: 'No model handles "wish.granted": its events change nothing.' })
})

t.test('a declaration that was edited without a new version is named', async (t) => {
  const { path } = await DataFolder.of(t)
  const models = join(path, 'shelves')
  await cp('examples/shelves', models, { recursive: true })
  const run = (...args: string[]) => spawnVitrine([...args, '--models', models, '--data-dir', path])
  t.match(await run('rebuild', 'shelves'), { code: 0 })
  t.notMatch((await run('models')).stdout, 'was edited')
  const file = join(models, 'index.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace("title: latest('')", "title: first('')"))
  const warning = 'shelves was edited, but still has version 1: raise it, or "vitrine rebuild" builds it anew.'
  t.match(await run('models'), { code: 0, stdout: warning })
  t.match(JSON.parse((await run('models', '--json')).stdout), { warnings: [warning] })
  t.match(await run('rebuild', 'shelves'), { code: 0 })
  t.notMatch((await run('models')).stdout, 'was edited')
})
