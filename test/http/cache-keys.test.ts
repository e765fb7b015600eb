/** Requests that look alike, or imitate each other: each gets its own answer, with the cache as without it. */
import t from 'tap'
import { SeededRandom } from '../../demo/random.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

const FIELDS = ['locale', 'sort', 'category', 'tag', 'q', 'featuredOnly', 'cursor', 'limit', 'Limit', 'limit[]', '__proto__', 'x']
/** Pieces of other requests, of keys made of requests, and of what might cut or join them. */
const VALUES = [
  ...[
    '',
    'en',
    'EN',
    'en-US',
    'de',
    'de-AT',
    'ja',
    'xx',
    'trending',
    'recent',
    'liked',
    'Liked',
    'games',
    'Games',
    'tools',
    'sea',
    'Sea',
    'SEA',
  ],
  ...[
    'maze',
    'maze ',
    ' maze',
    'MAZE',
    'm\u0061\u0301ze',
    'máze',
    'true',
    'false',
    'TRUE',
    '1',
    '01',
    '1.0',
    '1e0',
    '2',
    '24',
    '48',
    '49',
    '+2',
  ],
  ...['maze","limit":1,"q":"', 'maze"}', '{"q":"maze"}', 'maze&limit=1', 'maze%26limit=1', 'maze\u0000', 'maze\n', 'null', 'undefined'],
  ...['get_popular_tags {}', 'get_community_feed {"limit":1}', 'sea,clock', '[object Object]', 'en;q=0.5', 'ada-l', 'ADA-L'],
]
const PATHS = [
  ...[
    '/public/share/community',
    '/public/share/community/',
    '/public/share/tags',
    '/public/share/community/landing',
    '/public/share/Community',
  ],
  ...[
    '/public/share/user/ada-l',
    '/public/share/user/ADA-L',
    '/public/share/user/Ada-L',
    '/public/share/user/ada-l%00',
    '/public/share/user/ben',
  ],
  ...[
    '/public/share/user/ben/followers',
    '/public/share/user/BEN/followers',
    '/public/share/user/ben/following',
    '/public/share/user/ben%2Ffollowers',
  ],
  ...[
    '/public/share/app/ben/Garden.Maze',
    '/public/share/app/BEN/Garden.Maze',
    '/public/share/app/ben/garden.maze',
    '/public/share/app/ada-l/tide-clock',
  ],
]
/** No answer depends on these, so none may affect the answer of another request. */
const HEADERS: Record<string, readonly string[]> = {
  'accept-language': ['de', 'ja,en;q=0.1', '*'],
  host: ['evil.example', 'api.example:1'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https'],
  'x-original-url': ['/public/share/tags'],
  origin: ['https://evil.example'],
  accept: ['text/html', 'application/json'],
  cookie: ['a=b'],
}
const REQUESTS = 1500
const SEED = 7

await t.test('after any requests, the cached answer is the one that would be computed now', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, trustProxy: true })
  const dice = new SeededRandom(SEED)
  const differing: string[] = []
  const outcomes = new Map<number, number>()
  for (let n = 0; n < REQUESTS; n++) {
    const pairs = Array.from({ length: dice.below(4) }, () => `${encodeURIComponent(dice.pick(FIELDS))}=${encoded(dice)}`)
    const url = `${dice.pick(PATHS)}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
    const name = dice.pick(Object.keys(HEADERS))
    const headers = dice.chance(1, 2) ? { [name]: dice.pick(HEADERS[name] ?? ['']) } : {}
    const kept = told(await service.get(url, headers))
    const made = told(await service.get(url, { 'service-min-position': '1' }))
    if (kept !== made) differing.push(`${url} ${JSON.stringify(headers)}: ${kept.slice(0, 200)} instead of ${made.slice(0, 200)}`)
    const status = Number(kept.slice(0, 3))
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
  }
  t.strictSame(differing, [])
  const { hits } = service.answers.stats
  t.ok(hits > REQUESTS / 20, `${hits} came from the cache`)
  for (const status of [200, 404, 422]) t.ok(outcomes.has(status), `some of them ${status}: ${[...outcomes]}`)
})

/** As one path, sometimes written to be misread. */
function encoded(dice: SeededRandom): string {
  const value = encodeURIComponent(dice.pick(VALUES))
  return dice.chance(1, 4) ? value.toLowerCase().replaceAll('%20', '+') : value
}

/** Everything an answer is, but for what names this one request. */
function told({ statusCode, headers, body }: Awaited<ReturnType<Service['get']>>): string {
  return JSON.stringify([
    statusCode,
    body.replaceAll(/"request_id":"[^"]*"/g, ''),
    headers.etag,
    headers['content-language'],
    headers['content-type'],
  ]).slice(1)
}
