import { readFileSync } from 'node:fs'
import t from 'tap'
import { but, published, registered, removed } from '../spec/events.js'
import { only, projecting } from '../spec/given.js'
import { growth } from './growth/documents.js'
import { growthProjection } from './growth/projection.js'

const BLOCK = /```ts\n(.*?)```/gs

/** The files under `growth/` are the guide's own text; only the imports lead to where they stand here. */
const withoutImports = (source: string): string => source.replaceAll(/^import .*\n/gm, '').trim()

t.test('the code of the guide is the code that is tested here', async (t) => {
  const [documents = '', projection = ''] = [...readFileSync('docs/add-a-read-model.md', 'utf8').matchAll(BLOCK)].map(([, code]) => code)
  t.equal(withoutImports(readFileSync('test/docs/growth/documents.ts', 'utf8')), withoutImports(documents))
  t.equal(withoutImports(readFileSync('test/docs/growth/projection.ts', 'utf8')), withoutImports(projection))
})

t.test('and it counts what it says', (t) =>
  projecting(growthProjection)
    .given(registered('ann'), but(published('c1', { by: 'ann', category: 'games' }), { time: Date.parse('2026-03-02T00:00:00Z') }))
    .when(
      but(published('c2', { by: 'ann', category: 'games' }), { time: Date.parse('2026-03-30T00:00:00Z') }),
      but(published('c3', { by: 'ann', category: 'music' }), { time: Date.parse('2026-04-01T00:00:00Z') }),
      removed('c3'),
    )
    .then(
      t,
      only(growth, {
        'games~2026-03': { category: 'games', month: '2026-03', published: 2 },
        'music~2026-04': { category: 'music', month: '2026-04', published: 1 },
      }),
    ),
)
