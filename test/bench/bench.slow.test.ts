/** `npm run bench` in miniature: it ends, and its table has a figure for every part. The figures themselves are not checked. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { packageRoot } from '../../src/lib/package-root.js'
import { eventually } from '../ports/subject.js'

const SMALL = ['--fold-creations', '100', '--creations', '200', '--mongo-creations', '100', '--rounds', '2']

await t.test('a small benchmark on both stores prints its table', async (t) => {
  const args = ['--expose-gc', fileURLToPath(new URL('dist/bench/index.js', packageRoot)), '--only', 'fold,uncached', ...SMALL]
  const stdout = await eventually(async () => {
    try {
      return (await promisify(execFile)(process.execPath, args, { cwd: packageRoot })).stdout
    } catch (error) {
      // Readers give up soon, and a machine that runs other tests as well may be slower than that.
      if (!/MongoDB does not answer/.test(String(error))) throw error
      t.comment('MongoDB was too slow, once more')
      return null
    }
  })
  t.match(stdout, /^folding \d+ events into all models, SQLite /m)
  for (const store of ['sqlite', 'mongodb']) t.match(stdout, new RegExp(`^uncached page p50, .*, ${store} .* × `, 'm'))
})
