/** What `vitrine models` warns of. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
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
