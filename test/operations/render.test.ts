import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { renderCreation } from '../../readmodels/feed/creation.js'
import type { Item } from '../../readmodels/feed/documents.js'
import { Localizer } from '../../src/contract/locale.js'
import { PublicUrls } from '../../src/contract/public-urls.js'

await t.test('public addresses: TLS everywhere but on localhost', async (t) => {
  const table: [domain: string, address: string][] = [
    ['vitrine.example', 'https://ada.vitrine.example/tide-clock'],
    ['vitrine.example:8443', 'https://ada.vitrine.example:8443/tide-clock'],
    ['localhost', 'http://ada.localhost/tide-clock'],
    ['localhost:3001', 'http://ada.localhost:3001/tide-clock'],
    ['demo.localhost:3001', 'http://ada.demo.localhost:3001/tide-clock'],
    ['notlocalhost', 'https://ada.notlocalhost/tide-clock'],
    ['localhost.example', 'https://ada.localhost.example/tide-clock'],
  ]
  for (const [domain, address] of table) t.equal(new PublicUrls(domain).creation('Ada', 'tide-clock'), address, domain)
  t.equal(new PublicUrls('vitrine.example').creator('Ada'), 'https://ada.vitrine.example/', 'host names are written small')
})

await t.test('a handle that is the name of a host of the service has its page on the web host', async (t) => {
  const urls = new PublicUrls('Vitrine.example', {
    baseUrl: 'https://data.vitrine.example:8443',
    webUrl: 'https://gallery.vitrine.example',
  })
  for (const handle of ['www', 'api', 'admin', 'status', 'WWW', 'data', 'gallery', 'mail']) {
    t.equal(urls.creator(handle), `https://gallery.vitrine.example/@${handle}`)
    t.equal(urls.creation(handle, 'x'), `https://gallery.vitrine.example/@${handle}/x`)
  }
  t.equal(urls.creator('www2'), 'https://www2.Vitrine.example/')
  const elsewhere = new PublicUrls('vitrine.example', { baseUrl: 'https://data.example', webUrl: 'https://a.b.vitrine.example' })
  for (const handle of ['data', 'a', 'b']) t.equal(elsewhere.creator(handle), `https://${handle}.vitrine.example/`)
  t.equal(new PublicUrls('localhost:3001', { webUrl: 'http://127.0.0.1:3001' }).creator('www'), 'http://127.0.0.1:3001/@www')
})

const addresses = new PublicUrls('vitrine.example')
const shown: Item = {
  // What the feed makes of a creation of which nothing is known.
  ...(feedProjection.state.creation?.blank('c_1') as Item),
  creator: { handle: 'Ada', displayName: 'Ada L.', avatarUrl: null },
  slug: 'Tide-Clock',
  kind: 'widget',
  category: 'tools',
  title: { en: 'Tide clock', de: 'Gezeitenuhr' },
  publishedAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 0, 2),
}

await t.test('an item shows what readers may see and nothing of how it is kept', async (t) => {
  t.strictSame(renderCreation(shown, new Localizer('de'), addresses), {
    id: 'c_1',
    slug: 'Tide-Clock',
    url: 'https://ada.vitrine.example/Tide-Clock',
    kind: 'widget',
    title: 'Gezeitenuhr',
    description: '',
    category: 'tools',
    tags: [],
    coverUrl: null,
    featured: false,
    creator: { handle: 'Ada', displayName: 'Ada L.', avatarUrl: null },
    stats: { likes: 0, remixes: 0, plays: 0 },
    remixOf: null,
    publishedAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
  })
})

await t.test('the original is shown in the reader’s language, too', async (t) => {
  const remix = { ...shown, original: { handle: 'Ben', slug: 'maze', title: { en: 'Maze', de: 'Irrgarten' } } }
  t.strictSame(renderCreation(remix, new Localizer('de-AT'), addresses).remixOf, { handle: 'Ben', slug: 'maze', title: 'Irrgarten' })
})

await t.test('an item that is not public is never rendered', async (t) => {
  t.throws(() => renderCreation({ ...shown, creator: null }, new Localizer('en'), addresses), /not public/)
})
