/** What callers can make of an input that a custom read passes to its store unchecked, on started services. */
import t, { type Test } from 'tap'
import { databaseOn, dropDatabase } from '../../adapters/mongo/databases.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { HostileService } from './hostile-service.js'

const NO_VALUES: unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $where: 'true' },
  { $regex: '' },
  [{ $gt: '' }],
  ['b_1'],
  { a: { $gt: '' } },
  null,
  true,
]

const server = await mongoUrl(t)
const STORES: Record<string, (t: Test) => readonly string[]> = {
  SQLite: () => [],
  ...(server !== null && {
    MongoDB: (t) => {
      const url = databaseOn(server)
      t.teardown(() => dropDatabase(url))
      return ['--mongodb-url', url]
    },
  }),
}

for (const [store, flags] of Object.entries(STORES))
  t.test(`values of callers are compared, never interpreted: ${store}`, async (t) => {
    const service = await HostileService.start(t, ...flags(t))
    const find = (how: string, value: unknown) => service.batch('x_gardens_find', { how, value })
    t.match(await find('get', 'b_1'), { data: { found: ['b_1'] } })
    t.match(await find('equals', 'Lilies'), { data: { found: ['b_2'] } })
    t.match(await find('after', 'Lilies'), { data: { found: ['b_2', 'b_1'] } })
    t.match(await find('startsWith', 'R'), { data: { found: ['b_1'] } })
    t.match(await find('count', 'Roses'), { data: { found: ['?'] } })
    t.match(await find('allEquals', ['Roses']), { data: { found: ['b_1'] } })
    t.match(await find('allAfter', ['Lilies', 'b_2']), { data: { found: ['b_1'] } })
    t.match(await find('idEquals', []), { data: { found: ['b_1'] } })
    for (const [how, values] of [
      ['allEquals', ['Roses', 1000]],
      ['allEquals', 'Roses'],
      ['allAfter', ['', '', 1000]],
      ['allAfter', ['']],
      ['allAfter', []],
      ['idEquals', [1000]],
    ] as const)
      t.match(await find(how, values), { status: 422, message: /^input: / }, `${how} ${JSON.stringify(values)}`)
    for (const how of ['get', 'equals', 'after', 'lastId', 'startsWith', 'limit', 'count', 'atMost'])
      for (const value of NO_VALUES) {
        const answer = await find(how, value)
        t.match(
          answer,
          { status: 422, message: ['limit', 'atMost'].includes(how) ? /^limit: / : /^input: / },
          `${how} ${JSON.stringify(value)}`,
        )
      }
  })
