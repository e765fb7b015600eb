import t from 'tap'
import { DEMO_DEFAULTS, demoLog } from '../../demo/index.js'
import { toQuestion } from '../../src/ask/request.js'
import { Service, WEB_URL } from '../harness/service.js'
import { ungrounded, visibleText } from './eval/grounding.js'

await t.test('ask looks things up in the demo community', async (t) => {
  const service = await Service.start(t, { records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) })
  const ask = (query: string, more = {}) => service.ask.ask(toQuestion({ query, ...more }))
  const names = async (query: string) => (await ask(query)).results.map(({ name }) => name)

  await t.test('a wish in a sentence, with small words and politeness, finds its topic', async (t) => {
    const wishes: [string, RegExp][] = [
      ['hello, is there something for baking sourdough? thank you!', /sourdough/i],
      ['we are planning a long road trip with the kids', /road trip/i],
      ['die Schildkröte füttern', /schildkröte|tortoise/i],
      ['hola, busco un juego de piratas para mi hija, gracias', /pirata/i],
      ['すみません、スライムで遊べるものはありますか', /スライム/],
    ]
    for (const [query, topic] of wishes) t.match((await names(query))[0], topic, query)
  })

  await t.test('an answer says why it lists something, and cites the page that says so', async (t) => {
    const response = await ask('something about sourdough')
    t.match(response.answer, /\(matches: [^)]*sourdough/)
    t.strictSame(ungrounded(response), [])
    const [citation] = response.citations
    const { pathname, search } = new URL(citation?.url ?? '')
    const { body, headers } = await service.web.inject(pathname + search)
    t.ok(visibleText(body, String(headers['content-type'])).includes((citation?.snippet ?? '?').replace(/\s+/g, ' ')))
  })

  await t.test('a kind that is named filters what is found', async (t) => {
    const { results } = await ask('a game about chocolate')
    t.ok(results.length > 0)
    t.ok(results.every((result) => result['@type'] === 'VideoGame'))
  })

  await t.test('a misspelled topic is found, in the order that is asked for or by relevance', async (t) => {
    t.match((await names('pinnball'))[0], /pinball/i)
    t.match((await names('best sourdogh app'))[0], /sourdough/i)
  })

  await t.test('a word of the gallery is not taken for one of the documentation', async (t) => {
    const { answer, citations } = await ask('plants')
    t.notMatch(answer, /USD/)
    t.match(citations[0]?.url, '/text/community')
  })

  await t.test('debug shows how well both sources fit', async (t) => {
    t.equal((await ask('sourdough'))._meta.debug, undefined)
    t.match((await ask('sourdough', { debug: true }))._meta.debug, { source: 'community', search: 1 })
    t.match((await ask('how much does it cost?', { debug: true }))._meta.debug, { source: 'documentation', passage: 1, search: null })
    t.match((await ask('capital of mongolia?', { debug: 'true' }))._meta.debug, { source: 'none' })
  })

  await t.test('a question about the world stays unanswered, with a link to the search and what comes nearest', async (t) => {
    const response = await ask('when is the next solar eclipse')
    t.equal(response._meta.response_type, 'failure')
    t.match(response.answer, `${WEB_URL}/?q=`)
    t.ok(response.results.length > 0)
    for (const { name } of response.results) t.match(name, /eclipse/i)
    t.match(response.answer, /What comes nearest: Eclipse/)
    t.strictSame(ungrounded(response), [])
    t.strictSame((await ask('what is the capital of mongolia')).results, [], 'out of scope')
    const tagged = await ask('how do I cook spaghetti with tomatoes')
    t.equal(tagged._meta.response_type, 'failure')
    t.strictSame(ungrounded(tagged), [])
  })

  await t.test('the link repeats no numbers and no long words of the caller', async (t) => {
    const { answer } = await ask(`who won 2014 ${'x'.repeat(60)} hopscotch`)
    t.match(answer, /\/\?q=\S*hopscotch/)
    t.notMatch(answer, /2014|x{30}/)
  })

  await t.test('a language without texts names those that are spoken', async (t) => {
    const french = await ask('quelle est la capitale de la Mongolie', { prefer: { 'accept-language': 'fr' } })
    t.match(french, { answer: /anglais.*allemand/, _meta: { response_type: 'failure', locale: 'fr' } })
    const finnish = await ask('mikä on Mongolian pääkaupunki', { prefer: { 'accept-language': 'fi' } })
    t.match(finnish, { answer: /English, Spanish, German and Japanese/, _meta: { locale: 'en' } })
    const path = await service.web.inject({ method: 'POST', url: '/fr/ask', payload: { query: 'quelle est la capitale de la Mongolie' } })
    t.equal(path.headers['content-language'], 'fr')
    t.match((await ask('what is the capital of mongolia', { prefer: { 'accept-language': 'fr' } })).answer, 'I do not know')
  })
})
