import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { protectDataFolder } from '../../src/compose/data-folder.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { Serving } from '../harness/program.js'

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

await t.test('a new data folder is private, and so is everything in it', async (t) => {
  const data = join(folderWith(), 'new', 'data')
  const { code } = await vitrine(['seed', '--creators', '2', '--creations', '2', '--data-dir', data])
  t.equal(code, 0)
  for (const path of [data, join(data, 'log')]) t.equal(await modeOf(path), '700', path)
})

await t.test('one that was open is made private when the service starts', async (t) => {
  const data = folderWith()
  await chmod(data, 0o755)
  const serving = await Serving.start(t, data)
  await serving.ready()
  t.equal(await modeOf(data), '700')
})

await t.test('a folder with other things in it is left as it is, with a warning', async (t) => {
  const lines: string[] = []
  const logger = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
  const protect = (DATA_DIR: string) => protectDataFolder({ DATA_DIR }, logger)
  const shared = folderWith()
  await chmod(shared, 0o755)
  await writeFile(join(shared, 'notes.txt'), 'of somebody else')
  protect(shared)
  t.equal(await modeOf(shared), '755')
  t.match(lines, [/is open to other users .* chmod 700/])

  const own = folderWith()
  for (const name of ['log', 'models', 'asks']) await mkdir(join(own, name))
  await chmod(own, 0o750)
  protect(own)
  t.equal(await modeOf(own), '700')
  protect(own)
  protect(join(own, 'nowhere'))
  t.match(lines.slice(1), [/is private now/])
  t.equal(lines.length, 2, 'nothing is said of a folder that is private, or is not there yet')
})
