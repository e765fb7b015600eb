/**
 * Asks the registry for known holes in the installed packages and refuses serious ones. Where the registry tells none, as
 * a mirror or a machine without a network does, it says so and goes on; with `--strict` that is a failure, too.
 */
import { spawnSync } from 'node:child_process'

const SERIOUS = ['high', 'critical']

const strict = process.argv.includes('--strict')
const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=10000'], { encoding: 'utf8' })
const { vulnerabilities, message } = parsed(stdout)
if (vulnerabilities === undefined) {
  console.error(`audit: nobody could be asked for known holes${message === undefined ? '' : ` (${message})`}`)
  process.exit(strict ? 1 : 0)
}
const found = Object.values(vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity))
if (found.length > 0) {
  console.error(
    `audit: packages with known holes:\n  ${found.map(({ name, severity, range }) => `${name} ${range}: ${severity}`).join('\n  ')}`,
  )
  process.exit(1)
}
console.log('audit: no serious hole is known')

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
