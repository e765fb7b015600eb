/** A mistyped DATA_DIR: whoever only looks says so, and leaves no trace of it. */
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { vitrine } from '../serving/command.js'

const LOOKING = [
  ['status'],
  ['status', '--watch'],
  ['doctor'],
  ['verify', 'all'],
  ['replay', 'feed'],
  ['explain', 'creation/c_81'],
  ['generations'],
  ['generations', '--prune'],
  ['dead-letters', 'list'],
  ['dead-letters', 'discarded'],
  ['rebuild', 'feed'],
  ['redact', 'creator/u_7'],
]

t.test('there is nothing to look at', async (t) => {
  const parent = await temporaryFolder()
  t.teardown(() => removeFolder(parent))
  const empty = join(parent, 'empty')
  await mkdir(empty)
  for (const folder of [join(parent, 'mistyped'), empty]) {
    for (const args of LOOKING) {
      const complaint = `there is nothing at ${folder}: correct DATA_DIR (--data-dir), or let "vitrine serve" begin there`
      t.strictSame(
        await vitrine([...args, '--data-dir', folder]),
        { code: 2, signal: null, stdout: '', stderr: `vitrine ${args[0]}: ${complaint}\n` },
        args.join(' '),
      )
    }
  }
  t.strictSame(await readdir(parent), ['empty'])
  t.strictSame(await readdir(empty), [])
})

t.test('what begins something may make the folder, with those it lies in', async (t) => {
  const parent = await temporaryFolder()
  t.teardown(() => removeFolder(parent))
  const folder = join(parent, 'a', 'b', 'data')
  t.equal((await vitrine(['seed', '--creators', '2', '--creations', '3', '--data-dir', folder])).code, 0)
  t.equal((await vitrine(['status', '--data-dir', folder])).code, 0, 'a log is something to look at')
})

t.test('a place where nothing can be made is named in one line', { skip: !existsSync('/proc/self') && 'no /proc' }, async (t) => {
  for (const args of [['serve'], ['serve', '--demo'], ['seed']]) {
    const { code, stderr } = await vitrine([...args, '--data-dir', '/proc/nowhere/data'])
    t.equal(code, 2, args.join(' '))
    t.match(stderr, /^vitrine \w+: [^\n]*\/proc\/nowhere[^\n]*\n$/)
  }
})
