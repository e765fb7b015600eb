/**
 * Builds, checks and tests. `npm test` runs what fits into some ten minutes; `--slow` the rest, `--all` both. With names of
 * folders or files below `test/` it runs only those, without the checks.
 */
import './janitor.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { endWithCallers } from './exit-with-parents.mjs'
import { filesOf } from './files.mjs'
import { report } from './report.mjs'
import { runFiles } from './run-files.mjs'

const { values, positionals } = parseArgs({
  options: { slow: { type: 'boolean' }, all: { type: 'boolean' }, built: { type: 'boolean' } },
  allowPositionals: true,
})

const named = positionals.length > 0

endWithCallers()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))

if (!values.built) await npmRun('build')
if (!values.built && !named) await npmRun('check:code')

const tiers = values.all && !named ? ['default', 'slow'] : [values.slow || values.all ? 'slow' : 'default']
const began = performance.now()
const results = []
for (const tier of tiers) results.push(...(await runFiles(filesOf(tier, positionals), tier)))
if (results.length === 0) {
  console.error(`There is no test file below test/ called ${positionals.join(', ')}.`)
  process.exit(2)
}
process.exitCode = report(results, (performance.now() - began) / 1000) ? 0 : 1

async function npmRun(script) {
  const [code] = await once(spawn('npm', ['run', '--silent', script], { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exit(1)
}
