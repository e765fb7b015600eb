/**
 * Asks the registry for known vulnerabilities of the installed packages and refuses serious ones. If the registry does not
 * answer, as on a mirror or without a network, it says so and continues; with `--strict` that is a failure, too.
 */
import { spawnSync } from 'node:child_process'

const SERIOUS = ['high', 'critical']

const strict = process.argv.includes('--strict')
const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=10000'], { encoding: 'utf8' })
const { vulnerabilities, message } = parsed(stdout)
if (vulnerabilities === undefined) {
  console.error(`audit: could not ask for known vulnerabilities${message === undefined ? '' : ` (${message})`}`)
  process.exit(strict ? 1 : 0)
}
const found = Object.values(vulnerabilities).filter(({ severity }) => SERIOUS.includes(severity))
if (found.length > 0) {
  console.error(
    `audit: packages with known vulnerabilities:\n  ${found.map(({ name, severity, range }) => `${name} ${range}: ${severity}`).join('\n  ')}`,
  )
  process.exit(1)
}
console.log('audit: no serious vulnerability is known')

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
