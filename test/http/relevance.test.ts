import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { Service } from '../harness/service.js'
import { edited, erased, featured, liked, profileChanged, published, registered, type Told, unpublished } from '../spec/events.js'

const made = (id: string, en: string, rest: Omit<Parameters<typeof published>[1], 'by'> = {}): Told =>
  published(id, { by: 'ann', title: { en }, ...rest })

const EVENTS: readonly Told[] = [
  registered('ann', { handle: 'ann-bakes', displayName: 'Ann Lee' }),
  registered('bob', { handle: 'bob', displayName: 'Róbert Óconnor' }),
  made('title', 'Sourdough Timer', { kind: 'widget' }),
  made('tag', 'Kitchen Helper', { tags: ['sourdough'] }),
  made('text', 'Weekend Plans', { description: { en: 'Feed the sourdough, then rest.' } }),
  made('liked', 'Sourdough Diary', { category: 'food' }),
  ...['u1', 'u2', 'u3', 'u4'].map((user) => liked('liked', user)),
  made('bedtime', 'Bedtime Stories', { kind: 'app' }),
  made('dog', 'Dog Diary', { kind: 'app', category: 'food' }),
  published('hund', { by: 'bob', title: { de: 'Hundetagebuch' }, description: { de: '' } }),
  made('run', 'Running Log', { kind: 'tracker' }),
  made('cat', 'Cat Quiz', { kind: 'game' }),
  made('catlog', 'Cat Log', { kind: 'tracker' }),
  ...['one', 'two', 'three', 'four', 'five'].map((nth) => made(`train-${nth}`, `Train Book ${nth}`)),
  made('hidden', 'Sourdough Secret'),
  unpublished('hidden'),
]

await t.test('a search without an order shows what fits best first', async (t) => {
  const service = await Service.start(t, { events: EVENTS })
  const page = async (query: string) => dataOf(CommunityFeedPage, await service.get(`/public/share/community?${query}`))
  const found = async (q: string, rest = '') => (await page(`q=${encodeURIComponent(q)}${rest}`)).items.map(({ id }) => id)

  await t.test('titles before tags before descriptions, the liked first', async (t) => {
    t.strictSame(await found('sourdough'), ['liked', 'title', 'tag', 'text'])
  })

  await t.test('any word may match, more and rarer ones count more', async (t) => {
    t.strictSame((await found('sourdough timer submarine'))[0], 'title')
    t.strictSame((await found('a train book about sourdough three'))[0], 'train-three')
  })

  await t.test('what holds less than half as much as the best does is left out', async (t) => {
    t.strictSame((await found('cat')).toSorted(), ['cat', 'catlog'])
    t.strictSame(await found('weekend plans rest cat'), ['text'])
    t.strictSame(await found('submarine cat weekend'), ['text', 'catlog', 'cat'])
  })

  const first: readonly [what: string, q: string, id: string, locale?: string][] = [
    ['another form', 'runs', 'run'],
    ['another form', 'bakes and the dogs', 'dog'],
    ['a misspelling', 'sourduogh tiemr', 'title'],
    ['a synonym', 'insomnia', 'bedtime'],
    ['a wish', 'is there something for jogging, please?', 'run'],
    ['a German wish', 'etwas zum Einschlafen', 'bedtime', 'de'],
    ['a German compound', 'Hundetagebuch', 'hund', 'de'],
    ['a part of a compound', 'Tagebuch', 'hund', 'de'],
    ['a kind', 'a game about cats', 'cat'],
    ['a kind', 'tracker for cats', 'catlog'],
  ]
  for (const [what, q, id, locale = 'en'] of first) {
    await t.test(`${what}: ${q}`, async (t) => t.equal((await found(q, `&locale=${locale}`))[0], id))
  }

  await t.test('nothing is found for nothing', async (t) => {
    for (const q of ['!?…', '\u0000', 'xyzzyx', '%', '"', 'constructor', '__proto__', '🌊'])
      t.strictSame(await found(q), [], JSON.stringify(q))
  })

  await t.test('within filters', async (t) => {
    t.strictSame(await found('sourdough', '&category=food'), ['liked'])
    t.strictSame(await found('sourdough', '&tag=sourdough'), ['tag'])
    t.strictSame(await found('sourdough', '&featuredOnly=true'), [])
    t.strictSame(await found('sourdough', '&category=Nonsense|x'), [])
  })

  await t.test('the last word is a beginning only where that is said', async (t) => {
    t.strictSame(await found('sourd'), [])
    t.strictSame(await found('sourd', '&prefix=true'), ['liked', 'title', 'tag'])
  })

  await t.test('the page says its order; without a text, relevance is trending', async (t) => {
    t.match(await page('q=sourdough'), { pagination: { sort: 'relevance' }, total: 4, hasMore: false, next_cursor: null })
    t.match(await page('q=sourdough&sort=relevance'), { pagination: { sort: 'relevance' }, total: 4 })
    t.match(await page('sort=relevance'), { pagination: { sort: 'trending' } })
    t.match(await page(''), { pagination: { sort: 'trending' }, creators: [] })
    t.match(await page('q=sourdough&sort=recent'), { pagination: { sort: 'recent' }, total: 4 })
  })

  await t.test('pages neither repeat nor skip, whatever is published between them', async (t) => {
    const whole = await found('train book', '&limit=48')
    t.ok(whole.length >= 5)
    const walked: string[] = []
    let cursor: string | null = null
    let count = 0
    do {
      const query: string = `q=train+book&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
      const { items, next_cursor } = await page(query)
      walked.push(...items.map(({ id }) => id))
      cursor = next_cursor
      await service.tell(made(`other-${count++}`, 'Train Book of another kind'))
    } while (cursor !== null)
    t.strictSame(
      walked.filter((id) => !id.startsWith('other')),
      whole,
    )
    t.equal(new Set(walked).size, walked.length)
  })

  await t.test('a cursor belongs to its search', async (t) => {
    const { next_cursor } = await page('q=train+book&limit=2')
    for (const query of ['q=train&limit=2', 'q=train+book&sort=recent', 'q=train+book&category=food', ''])
      t.equal((await service.get(`/public/share/community?${query}&cursor=${next_cursor}`)).statusCode, 422, query)
    const { next_cursor: sorted } = await page('sort=recent&limit=2')
    t.equal((await service.get(`/public/share/community?q=train&cursor=${sorted}`)).statusCode, 422)
  })

  await t.test('creators are found by name and handle, beside the creations', async (t) => {
    const creators = async (q: string, rest = '') => (await page(`q=${encodeURIComponent(q)}${rest}`)).creators.map(({ handle }) => handle)
    t.strictSame(await creators('ann'), ['ann-bakes'])
    t.strictSame(await creators('Ann Lee'), ['ann-bakes'])
    t.strictSame(await creators('something by ann lee please'), ['ann-bakes'])
    t.strictSame(await creators('ann-bakes'), ['ann-bakes'])
    t.strictSame(await creators('oconnor'), ['bob'], 'without accents')
    t.strictSame(await creators('oconor'), ['bob'], 'misspelled')
    t.strictSame(await creators('sourdough'), [])
    t.strictSame((await page('q=ann&limit=1')).creators, [{ handle: 'ann-bakes', displayName: 'Ann Lee', avatarUrl: null }])
    await service.tell(profileChanged('ann', { displayName: 'Ann Kim' }))
    t.strictSame(await creators('ann lee'), [], 'the former name is gone')
    t.strictSame(await creators('kim'), ['ann-bakes'])
  })

  await t.test('searches follow what is edited, liked and erased', async (t) => {
    await service.tell(edited('text', { title: { en: 'Sourdough Sourdough' } }), featured('title'))
    t.strictSame(await found('sourdough', '&featuredOnly=true'), ['title'])
    t.ok((await found('sourdough')).includes('text'))
    await service.tell(erased('ann'))
    t.strictSame(await found('sourdough'), [])
    t.match(await page('q=ann'), { items: [], total: 0, creators: [] })
    t.strictSame(await found('hundetagebuch'), ['hund'])
  })
})
