/** The program as `npx vitrine` finds it: npm makes a link to it once, whatever is built later. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<'vitrine', string> }

t.test('it can be run as it was cloned', async (t) => {
  t.strictSame(Object.keys(bin), ['vitrine'])
  t.doesNotThrow(() => accessSync(bin.vitrine, constants.X_OK))
  t.match(readFileSync(bin.vitrine, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  const { status, stdout } = spawnSync(join(process.cwd(), bin.vitrine), ['--version'], { encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /^\d+\.\d+\.\d+/)
})

t.test('before anything is built it says what to do', async (t) => {
  const clone = t.testdir({ scripts: {} })
  cpSync(bin.vitrine, join(clone, 'scripts/vitrine.mjs'))
  const { status, stderr } = spawnSync(join(clone, 'scripts/vitrine.mjs'), ['help'], { encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, /not built yet: "npm run build"/)
})
