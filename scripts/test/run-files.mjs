/** Runs test files side by side, each in a process or several in one, and reads the TAP that they print. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isTimed } from './files.mjs'
import { readTap } from './read-tap.mjs'
import { show } from './report.mjs'

const at = (name) => fileURLToPath(new URL(name, import.meta.url))
/** More than there are processors: tests also wait for servers, leases and disks. */
const JOBS = availableParallelism() + 3
/** What a file may take on a machine that does nothing else. */
const LIMIT_S = 300

/** Settles with a result for each list of files. */
export async function runFiles(lists, tier) {
  const waiting = lists.filter((files) => !isTimed(files))
  const results = []
  const next = async () => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      results.push(await run(files, tier))
      show(results.at(-1), results.length, lists.length)
    }
  }
  await Promise.all(Array.from({ length: JOBS }, next))
  waiting.push(...lists.filter(isTimed))
  await next()
  return results
}

async function run(files, tier) {
  const began = performance.now()
  const args = files.length === 1 ? files : [at('run-in-one-process.mjs'), ...files]
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', at('janitor.mjs'), ...args], {
    // The one limit is the one below; files that can do more cases do all of them in the slow tier.
    env: { ...process.env, TAP: '1', TAP_TIMEOUT: '0', TEST_TIER: tier },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const limitS = LIMIT_S * files.length
  const guard = limit(limitS, () => child.kill('SIGKILL'))
  const [{ passed, failures, skips }, stderr, [code, signal]] = await Promise.all([
    readTap(child.stdout),
    tail(child.stderr),
    once(child, 'close'),
  ])
  guard.stop()
  if (guard.exceeded) failures.push({ name: `took more than ${limitS} s`, diag: stderr })
  else if (code !== 0 && failures.length === 0) failures.push({ name: `ended with ${signal ?? `exit code ${code}`}`, diag: stderr })
  if (passed + failures.length + skips.length === 0) failures.push({ name: 'holds no test' })
  return { files, seconds: (performance.now() - began) / 1000, passed, failures, skips, stderr }
}

/** Calls back after the limit, by a clock that goes slower the more processes share a processor. */
function limit(limitS, exceed) {
  let used = 0
  const guard = { exceeded: false, stop: () => clearInterval(ticking) }
  const ticking = setInterval(() => {
    used += 1 / Math.max(1, loadavg()[0] / JOBS)
    if (used < limitS) return
    guard.exceeded = true
    exceed()
  }, 1000)
  return guard
}

/** The last lines of what a test says besides TAP. */
async function tail(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text = (text + chunk).slice(-4000)
  return text
}
