/** Compiles changes and runs the tests of the named folders or files again: `npm run test:watch -- http`. */
import './janitor.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endWithCallers } from './exit-with-parents.mjs'

const TEST = fileURLToPath(new URL('index.mjs', import.meta.url))
const names = process.argv.slice(2)
if (names.length === 0) {
  console.error('Name what to test, such as: npm run test:watch -- http projections/feed.test.ts')
  process.exit(2)
}

endWithCallers()
// `npm run build` would take what is compiled here for what it has compiled itself.
rmSync('dist/.sources.json', { force: true })
const compiler = spawn(
  'npx',
  ['tsc', '-p', '.', '--watch', '--incremental', '--preserveWatchOutput', '--tsBuildInfoFile', 'dist/.tsbuildinfo'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
let tests = null
compiler.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text)
  if (!/Found 0 errors/.test(text)) return
  tests?.kill()
  spawnSync(process.execPath, ['scripts/client-types.mjs'], { stdio: 'inherit' })
  tests = spawn(process.execPath, [TEST, '--built', ...names], { stdio: 'inherit' })
})
compiler.on('exit', (code) => process.exit(code ?? 1))
