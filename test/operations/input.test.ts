import t from 'tap'
import { publicReads } from '../support/built-in-models.js'

const parse = (name: string, input: unknown) => {
  const found = publicReads.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  const parsed = found.input.safeParse(input)
  return parsed.success ? parsed.data : parsed.error.issues.map(({ path }) => path.join('.'))
}

/** What the address of a read cannot say; the rest is tried in test/http/bad-input.test.ts. */
await t.test('what breaks a rule is named', async (t) => {
  const table: [name: string, input: unknown, complaints: string[]][] = [
    ['get_community_feed', { limit: Number.NaN }, ['limit']],
    ['get_community_feed', { limit: '24' }, ['limit']],
    ['get_community_feed', { limit: null }, ['limit']],
    ['get_community_feed', { q: '\ud800' }, ['q']],
    ['get_community_feed', { tag: '\udc00' }, ['tag']],
    ['get_community_feed', { category: ['games'] }, ['category']],
    ['get_community_feed', { sort: 'x', limit: 0, locale: '' }, ['locale', 'sort', 'limit']],
    ['get_creator_profile', {}, ['handle']],
    ['get_creator_profile', { handle: 7 }, ['handle']],
    ['get_app_share', { handle: 'ada' }, ['slug']],
    ['get_app_share', { handle: 'ada', slug: 'x', locale: 'x'.repeat(65) }, ['locale', 'locale']],
  ]
  for (const [name, input, complaints] of table)
    t.strictSame(parse(name, input), complaints, `${name} ${JSON.stringify(input).slice(0, 50)}`)
})

await t.test('the edges of the rules are inside', async (t) => {
  for (const input of [{ limit: 1 }, { limit: 48 }, { q: 'x'.repeat(200) }, { q: '' }, { tag: '' }, { category: '' }]) {
    t.match(parse('get_community_feed', input), input, JSON.stringify(input).slice(0, 40))
  }
  t.match(parse('get_creator_followers', { handle: 'ada', limit: 100 }), { limit: 100 })
})
