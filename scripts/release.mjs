/**
 * Prints the notes of a release, from CHANGELOG.md. Refuses a tag that the files are not ready for.
 *   node scripts/release.mjs v1.0.0
 */
import { readFileSync } from 'node:fs'

const [tag = ''] = process.argv.slice(2)
const read = (path) => readFileSync(path, 'utf8')
const { version } = JSON.parse(read('package.json'))
const { version: locked } = JSON.parse(read('package-lock.json'))
const [, ...sections] = read('CHANGELOG.md').split(/^## /m)
const [heading, ...notes] = (sections[0] ?? '').split('\n')

const problems = [
  tag !== `v${version}` && `the tag is "${tag}", package.json says ${version}`,
  locked !== version && `package-lock.json says ${locked}, package.json ${version}`,
  !new RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`).test(heading) &&
    `CHANGELOG.md begins with "${heading}", not with "${version} - " and a date`,
  read('docs/openapi.json') !== read('docs/openapi.released.json') && 'docs/openapi.released.json is not docs/openapi.json',
].filter((problem) => problem !== false)

if (problems.length > 0) {
  console.error(`not ready to be released:\n  ${problems.join('\n  ')}`)
  process.exit(1)
}
console.log(notes.join('\n').trim())
