/** Refuses packages whose licence is not on the reviewed list. Reads what is installed, without a network. */
import { existsSync, readFileSync } from 'node:fs'

/** Permissive ones, which ask for no more than to be named. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'Python-2.0'],
])
/** Looked at one by one: what the package says of itself, and why it may stay. */
const EXCEPTIONS = new Map([
  // Python's own licence under its other name; only tests load it.
  ['argparse', 'PSF-2.0'],
  // Asks that changes to its own files be published; we change none, and only tests load it.
  ['axe-core', 'MPL-2.0'],
  // A list of names; only the test runner loads it.
  ['spdx-exceptions', 'CC-BY-3.0'],
  // Says nothing in its manifest; the file beside it is the MIT licence. Only the test runner loads it.
  ['jsonc-simple-parser', 'none'],
])

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const refused = []
let looked = 0
for (const [path, { optional, link }] of Object.entries(packages)) {
  if (path === '' || link) continue
  const manifest = `${path}/package.json`
  // Built for another system: not here, and not shipped from here.
  if (optional && !existsSync(manifest)) continue
  const { name, version, license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'))
  const said = licenceOf(license ?? licenses)
  looked += 1
  if (!isAllowed(said) && EXCEPTIONS.get(name) !== said) refused.push(`${name} ${version}: ${said}`)
}
if (refused.length > 0) {
  console.error(`licences that are not on the list of scripts/licences.mjs:\n  ${refused.join('\n  ')}`)
  process.exit(1)
}
console.log(`licences: ${looked} packages, all on the list`)

/** Old manifests have an object, or several. */
function licenceOf(given) {
  if (Array.isArray(given)) return `(${given.map(licenceOf).join(' OR ')})`
  return typeof given === 'object' && given !== null ? String(given.type) : String(given ?? 'none')
}

/** Of an alternative one has to be on the list, of a combination all. */
function isAllowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one.trim())))
}
