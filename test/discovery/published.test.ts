import { readFileSync } from 'node:fs'
import t from 'tap'
import { publishedDocuments } from '../../src/cli/commands/openapi-and-asyncapi.js'
import { otherThanAdditions } from './additions.js'

/** Rules that the service always had and the released document did not tell, and a default that now depends on `q`. */
const CORRECTIONS = [
  /parameters\.ServiceMinPosition\.schema\.maximum is new$/,
  /community\.get\.parameters\.query sort\.schema\.default is gone$/,
]

for (const { path, content } of publishedDocuments()) {
  t.test(`${path} is up to date`, async (t) => {
    t.ok(readFileSync(path, 'utf8') === content, `${path} differs from what the code says: run "npm run docs:write" and commit the result`)
  })
}

t.test('the API has not broken a promise since its last release', async (t) => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const broken = otherThanAdditions(read('docs/openapi.released.json'), read('docs/openapi.json'))
  t.same(
    broken.filter((change) => !CORRECTIONS.some((correction) => correction.test(change))),
    [],
    'a released operation may only grow: put a breaking change on a new path and deprecate the old one for at least 90 days (see CONTRIBUTING)',
  )
})
