/** Commands of root beside a service that another user runs. */
import { chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { spawnVitrine } from '../harness/program.js'

/** The user "nobody" of most systems; any would do. */
const USER = 65534
const EVENTS = fileURLToPath(new URL('../../../examples/events.ndjson', import.meta.url))
const skip = process.getuid?.() !== 0 && 'only root is root'

await t.test('root is refused the data folder of another user, and leaves nothing there', { skip }, async (t) => {
  const parent = folderWith()
  const [data, empty, backup] = [join(parent, 'data'), join(parent, 'empty'), join(parent, 'backup')]
  t.equal((await spawnVitrine(['seed', '--creators', '2', '--creations', '4', '--data-dir', data])).code, 0, 'root may use its own')
  t.equal((await spawnVitrine(['backup', backup, '--data-dir', data])).code, 0)
  await mkdir(empty)
  for (const folder of [data, empty]) await chown(folder, USER, USER)
  const before = await readdir(data, { recursive: true })
  for (const args of [
    ['status'],
    ['publish', EVENTS],
    ['rebuild', 'all'],
    ['verify', 'all'],
    ['seed'],
    ['serve', '--api-port', '0', '--web-port', '0', '--admin-port', '0'],
    ['backup', join(parent, 'second')],
    ['restore', backup],
  ]) {
    const { code, stderr } = await spawnVitrine([...args, '--data-dir', args[0] === 'restore' ? empty : data])
    t.equal(code, 2, args.join(' '))
    t.match(stderr, /DATA_DIR: \S+ belongs to user 65534\. Run this as that user: setpriv --reuid=65534 --regid=65534 /, args.join(' '))
  }
  const doctor = await spawnVitrine(['doctor', '--data-dir', data])
  t.equal(doctor.code, 1)
  t.match(doctor.stdout, /belongs to user 65534/)
  t.strictSame(await readdir(data, { recursive: true }), before)
  t.strictSame(await readdir(empty), [])
})
