/** The first half of the tutorial, with this checkout as the package. test/package follows all of it, with the packed one. */
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { Tutorial, tutorialFiles } from './tutorial.js'

t.test('it shows the example that comes with the package', async (t) => {
  t.equal(tutorialFiles.size, 5)
  for (const [path, code] of tutorialFiles) if (path !== 'client.ts') t.equal(code, await readFile(`examples/${path}`, 'utf8'), path)
})

t.test('its model loads and its spec passes', async (t) => {
  const folder = folderWith()
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink(process.cwd(), join(folder, 'node_modules/vitrine'))
  await symlink('../vitrine/scripts/vitrine.mjs', join(folder, 'node_modules/.bin/vitrine'))
  await (await Tutorial.begin(t, folder)).specify()
})
