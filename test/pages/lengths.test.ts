/** What one event may put on a page: how many languages, and how much text. */
import t from 'tap'
import { Service } from '../harness/service.js'
import { featured, published, registered } from '../spec/events.js'

const LONG_TAG = `en${'-abcdefgh'.repeat(2000)}`

await t.test('an event with a language tag of 18 KB leaves the front page readable', async (t) => {
  const events = [
    registered('ada'),
    published('maze', { by: 'ada', title: { [LONG_TAG]: 'Endless', en: 'Maze' }, description: { [LONG_TAG]: 'Endless', en: '' } }),
    published('void', { by: 'ada', title: { [LONG_TAG]: 'Void' }, description: { en: '' } }),
  ]
  const service = await Service.start(t, { events })
  const [web, api] = [await service.listen(service.web), await service.listen(service.api)]
  for (const url of [`http://127.0.0.1:${web}/`, `http://127.0.0.1:${web}/@ada`, `http://127.0.0.1:${api}/public/share/community`]) {
    const response = await fetch(url)
    t.strictSame([response.status, response.headers.get('content-language')], [200, 'en'], url)
    t.notMatch(await response.text(), /Endless|Void/, 'the text is dropped with its tag, and an event without any other is poison')
  }
})

await t.test('a page names ten languages at most', async (t) => {
  const tags = Array.from({ length: 26 }, (_, n) => `${String.fromCharCode(97 + n)}q-Latn-abcdefgh-abcdefgh-abcdefgh`)
  const events = [registered('ada'), ...tags.map((tag, n) => published(`c${n}`, { by: 'ada', title: { [tag]: 'Clock' } }))]
  const service = await Service.start(t, { events })
  for (const [host, url] of [[service.web, '/'] as const, [service.api, '/public/share/community'] as const]) {
    const languages = String((await host.inject(url)).headers['content-language']).split(', ')
    t.equal(languages.length, 10, url)
    t.equal(languages[0], 'en', 'that of the page, or the nearest to it, is among them')
  }
})

await t.test('a page names only the languages of what it shows', async (t) => {
  const french = published('jeu', { by: 'ben', title: { fr: 'Jeu' }, description: { fr: 'Un jeu.' } })
  const service = await Service.start(t, { events: [registered('ada'), registered('ben'), published('maze', { by: 'ada' }), french] })
  const languages = async (url: string) => (await service.web.inject(url)).headers['content-language']
  t.equal(await languages('/'), 'en, fr')
  t.equal(await languages('/@ada/maze-slug'), 'en', 'the rails of the front page are not read for it')
  t.equal(await languages('/?q=maze'), 'en')
})

await t.test('a card and a spotlight show the beginning of a long text, and its own page all of it', async (t) => {
  const title = `${'ab '.repeat(65)}end`
  const description = `${'cd '.repeat(1660)}end`
  const maze = { by: 'ada', slug: 'maze', title: { en: title }, description: { en: description } }
  const service = await Service.start(t, { events: [registered('ada'), published('maze', maze), featured('maze', true)] })
  const page = async (url: string) => (await service.web.inject(url)).body
  const front = await page('/')
  t.match(front, 'ab ab…')
  t.match(front, 'cd cd…')
  t.notMatch(front, /(ab ){50}|(cd ){120}/)
  t.notMatch(await page('/@ada'), /(ab ){50}/)
  const own = await page('/@ada/maze')
  t.match(own, `<h1 dir="auto">${title}</h1>`)
  t.match(own, description)
  t.equal(own.split(description).length, 2, 'once')
})
