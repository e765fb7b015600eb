/** What can be read in the Dockerfile. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { stagesOf, wordsOf } from './dockerfile.js'

const stages = stagesOf('Dockerfile')
const last = stages.at(-1) ?? []

t.test('it is built in two stages, from one exact version of Node', async (t) => {
  t.equal(stages.length, 2)
  const [base, same] = stages.map((stage) => wordsOf(stage, 'FROM')[0]?.[0])
  t.match(base, /^node:\d+\.\d+\.\d+-[a-z]+-slim$/)
  t.equal(base, same)
})

t.test('local settings and secrets do not get into it', async (t) => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  for (const path of ['.env', '.git', 'data', 'ops/kubernetes/mine']) t.ok(ignored.includes(path), path)
})

t.test('it runs without rights', async (t) => {
  t.equal(wordsOf(last, 'USER').at(-1)?.[0], 'node')
})
