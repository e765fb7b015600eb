import t from 'tap'
import { SORTS } from '../../readmodels/feed/documents.js'
import { pathParameters, validateOperations } from '../../src/contract/operation.js'
import { publicReads } from '../support/built-in-models.js'

const DAY = 86_400_000
const [feed] = publicReads
if (feed === undefined) throw new Error('the registry is empty')

/** As the specification lists them. */
const SPECIFIED: readonly [name: string, path: string][] = [
  ['get_community_feed', '/public/share/community'],
  ['get_popular_tags', '/public/share/tags'],
  ['get_community_landing', '/public/share/community/landing'],
  ['get_creator_profile', '/public/share/user/{handle}'],
  ['get_creator_followers', '/public/share/user/{handle}/followers'],
  ['get_creator_following', '/public/share/user/{handle}/following'],
  ['get_app_share', '/public/share/app/{handle}/{slug}'],
]

await t.test('the public reads of the specification come first, under the names of batch and MCP', async (t) => {
  t.strictSame(
    publicReads.slice(0, SPECIFIED.length).map(({ name, path }) => [name, path]),
    SPECIFIED,
  )
  t.strictSame(
    publicReads.filter(({ onWebHost }) => onWebHost).map(({ name }) => name),
    ['get_community_feed'],
    'only the feed is also on the web host',
  )
  t.strictSame(SORTS, ['trending', 'recent', 'popular', 'remixed', 'liked'])
})

await t.test('every parameter of a path is a field of the input', async (t) => {
  for (const { name, path, input } of publicReads) {
    t.strictSame(
      pathParameters(path).filter((parameter) => !(parameter in input.shape)),
      [],
      name,
    )
  }
})

await t.test('a deprecated operation stays for ninety days, or the registry refuses it', async (t) => {
  const since = new Date('2026-06-01T00:00:00Z')
  const ending = (days: number) => ({
    ...feed,
    deprecated: { since, sunset: new Date(since.getTime() + days * DAY), link: 'https://web.example/changelog' },
  })
  t.throws(() => validateOperations([ending(0)]), /90 days/)
  t.throws(() => validateOperations([ending(-400)]), /90 days/)
  t.throws(() => validateOperations([ending(90 - 1 / DAY)]), /get_community_feed.*90 days/)
  t.equal(validateOperations([ending(90)]).length, 1)
})

await t.test('no two operations share a name', async (t) => {
  t.throws(() => validateOperations([feed, { ...feed, path: '/elsewhere' }]), /get_community_feed/)
})
