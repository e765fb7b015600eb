/** Commands that need more room for a copy than the temporary folder has. */
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { SmallDisk } from '../chaos/small-disk.js'
import { spawnVitrine } from '../harness/program.js'

const disk = new SmallDisk(1)
t.teardown(() => disk.remove())

await t.test('say which folder is full, and what to do', { skip: !disk.isSmall && 'no disk can be mounted here' }, async (t) => {
  const data = folderWith()
  const run = (args: string[], TMPDIR?: string) => spawnVitrine([...args, '--data-dir', data], TMPDIR ? { env: { TMPDIR } } : {})
  await run(['seed', '--creators', '20', '--creations', '200'])
  await run(['rebuild', 'feed'])
  for (const command of ['verify', 'replay']) {
    const { code, stderr } = await run([command, 'feed'], disk.path)
    t.equal(code, 2)
    t.match(stderr, `vitrine ${command}: the temporary folder ${disk.path} is full (`)
    t.match(stderr, / of 1 MB are free\): set TMPDIR to a folder with more room\n$/)
    t.equal((await run([command, 'feed'])).code, 0, 'elsewhere there is room')
  }
})
