/** Files that must not be written to: what `serve` does with them, and that it is as before once they may. */
import { join } from 'node:path'
import t from 'tap'
import { writeProtection } from '../chaos/write-protection.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { Script } from '../spec/script.js'

const folder = await DataFolder.open(t)
const script = new Script()
await folder.append(script.write(...COMMUNITY))
await folder.project()
const protection = writeProtection(folder.path)
const protect = protection ?? (() => () => {})
const skip = protection === null && 'no file can be kept from being written here'

await t.test('on read-only models it says so in one line and ends', { skip }, async (t) => {
  const release = protect(join(folder.path, 'models'))
  try {
    const { code, stderr } = await spawnVitrine(['serve', '--data-dir', folder.path])
    t.equal(code, 2)
    t.match(stderr, /^vitrine serve: cannot write to \S+models\S+ \(E[A-Z]+\)[^\n]+\n$/)
  } finally {
    release()
  }
})

await t.test('on a read-only log it serves what there is', { skip }, async (t) => {
  const release = protect(join(folder.path, 'log'))
  try {
    const serving = await Serving.start(t, folder.path)
    await serving.ready()
    t.equal((await request(serving.api, '/public/share/tags')).statusCode, 200)
    release()
    await folder.append(script.write(...COMMUNITY))
    await folder.caughtUp()
    t.pass('and goes on projecting once it may open it')
  } finally {
    release()
  }
})
