/** `npm run bench` in miniature: it ends, and its table has a figure for every part. The figures themselves are not checked. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { packageRoot } from '../../src/lib/package-root.js'

const SMALL = ['--fold-creations', '100', '--creations', '200', '--mongo-creations', '100', '--rounds', '2']

await t.test('a small benchmark on both stores prints its table', async (t) => {
  const args = ['--expose-gc', fileURLToPath(new URL('dist/bench/index.js', packageRoot)), '--only', 'fold,uncached', ...SMALL]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageRoot })
  t.match(stdout, /^folding \d+ events into all models, SQLite /m)
  for (const store of ['sqlite', 'mongodb']) t.match(stdout, new RegExp(`^uncached page p50, .*, ${store} .* × `, 'm'))
})
