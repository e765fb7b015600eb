/** The example of custom models: its specs, as somebody would write them beside it. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import shelves, { opened } from '../../examples/shelves/index.js'
import { erases, given, happened } from '../../src/testing/index.js'

const shelf = (shelfId: string, creatorId: string, title: string) => happened(opened, { shelfId, creatorId, title })

t.test('a shelf has an owner and a title', async (t) => {
  await t.resolves(
    given(shelves, shelf('s_1', 'ann', 'For rainy days'))
      .when(shelf('s_2', 'bob', 'Loud ones'))
      .then({ shelves: { s_1: { creatorId: 'ann', title: 'For rainy days' }, s_2: { creatorId: 'bob', title: 'Loud ones' } } }),
  )
})

t.test('nothing is left of an erased owner', async (t) => {
  await t.resolves(erases(shelves, 'ann', shelf('s_1', 'ann', 'Quinces'), shelf('s_2', 'bob', 'Pears'), shelf('s_3', 'ann', 'Plums')))
})

t.test('it has its own package.json and fewer than 35 lines', async (t) => {
  const source = await readFile('examples/shelves/index.ts', 'utf8')
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('/**'))
  t.ok(lines.length < 35, `${lines.length} lines`)
  t.match(JSON.parse(await readFile('examples/shelves/package.json', 'utf8')), { peerDependencies: { vitrine: String } })
})
