/** The program as `npx vitrine` finds it, which makes a file executable only the first time. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

t.test('every build can be run', async (t) => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> }
  t.strictSame(Object.keys(bin), ['vitrine'])
  for (const file of Object.values(bin)) {
    t.doesNotThrow(() => accessSync(join(process.cwd(), file), constants.X_OK), file)
    t.match(readFileSync(file, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  }
})
