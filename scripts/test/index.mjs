/**
 * Builds, checks and tests. `npm test` runs what fits into five minutes; `--slow` the rest, `--all` both. With names of
 * folders or files below `test/` it runs only those, without the checks.
 */
import './janitor.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { endWithCallers } from './callers.mjs'
import { filesOf } from './files.mjs'
import { report } from './report.mjs'
import { runFiles } from './run-files.mjs'

const { values, positionals } = parseArgs({
  options: { slow: { type: 'boolean' }, all: { type: 'boolean' }, built: { type: 'boolean' } },
  allowPositionals: true,
})

endWithCallers()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))

if (!values.built) await npmRun('build')
if (!values.built && positionals.length === 0) await npmRun('check:code')

const tiers = values.all ? ['default', 'slow'] : [values.slow ? 'slow' : 'default']
const results = []
for (const tier of tiers) results.push(...(await runFiles(filesOf(tier, positionals), tier)))
process.exitCode = report(results) ? 0 : 1

async function npmRun(script) {
  const [code] = await once(spawn('npm', ['run', '--silent', script], { stdio: 'inherit' }), 'exit')
  if (code !== 0) process.exit(1)
}
